import type { CallerToolsConfig } from "@/contract/caller-tools";
import type { FieldTexts, SchemaTexts } from "./schema-texts";

export const CALLER_TOOLS_TEXTS = {
  CallerToolsConfig: {
    allowed: [
      "Whether callers may declare tools with `dynamic_tools`. If not, such requests are refused, and chats that exist are not offered theirs.",
    ],
  } satisfies FieldTexts<CallerToolsConfig>,
} satisfies SchemaTexts;
