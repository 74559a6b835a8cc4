import type { HistoryMessage } from "@/contract/history";
import type { FieldTexts, SchemaTexts } from "./schema-texts";
import { SHARED } from "./shared";

type Answer = Extract<HistoryMessage, { role: "assistant" }>;
type Part<Type extends string> = Extract<Answer["content"][number], { type: Type }>;
type Call = Part<"tool_call">;

export const HISTORY_TEXTS = {
  HistoryMessage: {
    role: [
      "Who has said it. Messages of the system come first; an answer follows a message of the user, or an answer with calls.",
    ],
    content: ["What was said: a text, or parts; of the system a text."],
  } satisfies FieldTexts<Answer>,
  AnswerContent: {
    type: ["The kind of the part."],
    text: ["The text. Reasoning is shown to people; no model gets it.", "Deployed."],
    file_id: [
      "The id of a file, of `POST /files`. It becomes a link in the text of the answer.",
      "0198c0de-0000-7000-8000-000000000005",
    ],
    tool_call_id: ["The id of the call, which no other call of the history has.", "call_1"],
    tool_name: SHARED.tool_name,
    args: ["The arguments of the call; none by default.", { version: "v12" }],
    state: ["How the call has ended."],
    output: ["What the call has returned: any JSON. Secrets in it are masked.", { ok: true }],
  } satisfies FieldTexts<Part<"text"> & Omit<Part<"file">, "type"> & Omit<Call, "type">>,
} satisfies SchemaTexts;
