import type * as z from "zod";
import type {
  AnsweredElicitation,
  ElicitationAnswer,
  PendingElicitation,
} from "@/contract/elicitation";
import type { FieldText, FieldTexts, SchemaTexts } from "./schema-texts";

const ELICITATION = {
  message: ["What the server asks.", "Which branch?"],
  requested_schema: [
    "The schema of the answer's content.",
    { type: "object", properties: { branch: { type: "string" } } },
  ],
} as const satisfies Record<string, FieldText>;

export const ELICITATION_TEXTS = {
  PendingElicitation: {
    ...ELICITATION,
    number: ["Counts the questions of the call.", 1],
  } satisfies FieldTexts<z.infer<typeof PendingElicitation>>,
  AnsweredElicitation: {
    ...ELICITATION,
    answer: ["The answer; absent while there is none.", { action: "decline" }],
    answered_by: ["The id of the user who has answered, or `api_key:<id>`.", "user_1"],
  } satisfies FieldTexts<AnsweredElicitation>,
  ElicitationAnswer: {
    action: ["Whether the question is answered, refused or closed."],
    content: ["A value for each field.", { branch: "Harbour" }],
  } satisfies FieldTexts<ElicitationAnswer>,
} satisfies SchemaTexts;
