import type * as z from "zod";
import type { CreateFileInput, FileRef } from "@/contract/file";
import type { FieldTexts, SchemaTexts } from "./schema-texts";

export const FILE_TEXTS = {
  "files.create": {
    chat_id: [null, "0198c0de-0000-7000-8000-000000000001"],
    name: [null, "report.csv"],
    media_type: [null, "text/csv"],
    file: ["The bytes of the file."],
  } satisfies FieldTexts<z.infer<typeof CreateFileInput>>,
  "files.delete": {
    file_id: ["The id of the file.", "0198c0de-0000-7000-8000-000000000005"],
  } satisfies FieldTexts<z.infer<typeof FileRef>>,
  "files.get": {
    file_id: ["The id of the file.", "0198c0de-0000-7000-8000-000000000005"],
  } satisfies FieldTexts<z.infer<typeof FileRef>>,
} satisfies SchemaTexts;
