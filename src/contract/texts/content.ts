import type { Content } from "@/contract/content";
import type { FieldTexts, SchemaTexts } from "./schema-texts";

type TextContent = Extract<Content[number], { type: "text" }>;
type FileContent = Extract<Content[number], { type: "file" }>;

export const CONTENT_TEXTS = {
  Content: {
    type: ["The kind of the part."],
    text: ["The text.", "Deploy v12"],
    file_id: ["The id of a file, of `POST /files`.", "0198c0de-0000-7000-8000-000000000005"],
  } satisfies FieldTexts<TextContent & Omit<FileContent, "type">>,
} satisfies SchemaTexts;
