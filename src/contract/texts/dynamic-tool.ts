import type { ChatDynamicTool, DynamicTool } from "@/contract/dynamic-tool";
import type { FieldText, FieldTexts, SchemaTexts } from "./schema-texts";

export const TOOL = {
  name: ["The name by which the model calls the tool.", "deploy"],
  description: ["What the tool does, for the model.", "Deploys a version"],
  input_schema: [
    "The arguments, as a JSON Schema of an object.",
    { type: "object", properties: { version: { type: "string" } } },
  ],
  output_schema: [
    "What a result must look like, as a JSON Schema.",
    { type: "object", properties: { ok: { type: "boolean" } } },
  ],
  timeout_seconds: ["How long a call of the tool stays open.", 3_600],
  repeatable: [
    "True if a call may be run again when the program that has claimed it is lost, as it changes nothing or knows its own repetition. Else the call ends as an error then, whose outcome is unknown.",
    true,
  ],
  max_attempts: ["How often a repeatable call is run at most; 3 by default.", 3],
} as const satisfies Record<string, FieldText>;

export const DYNAMIC_TOOL_TEXTS = {
  DynamicTool: TOOL satisfies FieldTexts<DynamicTool>,
  ChatDynamicTool: {
    ...TOOL,
    group: [
      "The group that the tool has come with, as it was then; it is offered while the chat has the group. Missing if a client has declared it.",
      "refunds",
    ],
  } satisfies FieldTexts<ChatDynamicTool>,
} satisfies SchemaTexts;
