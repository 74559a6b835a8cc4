import type * as z from "zod";
import type {
  CreateImportInput,
  Import,
  ImportList,
  ImportProblem,
  ImportRef,
  ImportReport,
} from "@/contract/import";
import type { FieldTexts, SchemaTexts } from "./schema-texts";

const ID = "0198c0de-0000-7000-8000-000000000009";

const FIELDS = {
  id: ["The id of the import.", ID],
  name: ["The name of the archive.", "export.zip"],
  state: [
    "`receiving` while it arrives, `queued` until a worker has time for it, `running`, then `completed` or `failed`.",
  ],
  source: ["What it was exported from; null until that is known."],
  size: ["Bytes of the archive.", 1_048_576],
  total_bytes: ["Bytes of its documents, unpacked.", 5_242_880],
  read_bytes: ["How many of them are done.", 2_621_440],
  chats: ["Chats that it has made.", 120],
  messages: ["Their messages.", 1_440],
  files: ["Their files.", 12],
  known: ["Conversations that were imported before, and are not imported again.", 3],
  problems: ["What could not be read, or not as it was.", 1],
  error: ["Why it has failed; null if it has not. What it had made before stays.", null],
  created_at: ["When it was sent."],
  ended_at: ["When it was completed, or has failed; null before.", null],
} satisfies FieldTexts<Import>;

const REF = { import_id: ["The id of the import.", ID] } satisfies FieldTexts<
  z.infer<typeof ImportRef>
>;

export const IMPORT_TEXTS = {
  "imports.create": {
    name: ["The name of the archive; that of `Content-Disposition` when left out.", "export.zip"],
  } satisfies FieldTexts<Omit<z.infer<typeof CreateImportInput>, "file">>,
  "imports.get": REF,
  "imports.delete": REF,
  Import: FIELDS,
  ImportReport: {
    ...FIELDS,
    report: ["The first 1,000 of its problems."],
  } satisfies FieldTexts<ImportReport>,
  ImportProblem: {
    title: ["The conversation, or the document.", "High water"],
    reason: ["What could not be read, and why.", "It has no messages."],
  } satisfies FieldTexts<ImportProblem>,
  ImportList: { data: ["The last 50, the newest first."] } satisfies FieldTexts<
    z.infer<typeof ImportList>
  >,
} satisfies SchemaTexts;
