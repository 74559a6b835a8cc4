import type { DynamicTool } from "@/contract/dynamic-tool";
import type { FieldTexts, SchemaTexts } from "./schema-texts";

export const DYNAMIC_TOOL_TEXTS = {
  DynamicTool: {
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
  } satisfies FieldTexts<DynamicTool>,
} satisfies SchemaTexts;
