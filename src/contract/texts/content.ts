import type { Content } from "@/contract/content";
import type { FieldTexts, SchemaTexts } from "./schema-texts";

export const CONTENT_TEXTS = {
  Content: {
    type: ["The kind of the part."],
    text: ["The text.", "Deploy v12"],
  } satisfies FieldTexts<Content[number]>,
} satisfies SchemaTexts;
