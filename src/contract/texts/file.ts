import type * as z from "zod";
import type {
  ChatFile,
  CreateFileInput,
  FilePage,
  FileRef,
  GetFileInput,
  ListFilesInput,
} from "@/contract/file";
import { ARTIFACT_TEXTS } from "./part";
import type { FieldTexts, SchemaTexts } from "./schema-texts";
import { SHARED } from "./shared";

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
    preview: [
      "An image as models get it: at most 2,000 pixels a side and 600 KB, and of an animation the first picture. Without one, the file itself.",
    ],
  } satisfies FieldTexts<z.infer<typeof GetFileInput>>,
  "files.list": {
    chat_id: SHARED.chat_id,
    cursor: ["`next_cursor` of the page before."],
    limit: ["Most files of the page.", 50],
    data: ["The files of the page."],
    next_cursor: [
      "The cursor of the next page; missing on the last one.",
      "0198c0de-0000-7000-8000-000000000005",
    ],
    total_count: ["How many files there are on all pages.", 1],
    total_size: ["The size of all of them in bytes.", 1_024],
  } satisfies FieldTexts<ListFilesInput | FilePage>,
  ChatFile: {
    ...ARTIFACT_TEXTS,
    chat_id: ["The chat that has the file, or its agent."],
    tool_call_id: ["The call that made it; null for a file that was sent.", null],
    created_at: ["When it was stored."],
  } satisfies FieldTexts<ChatFile>,
} satisfies SchemaTexts;
