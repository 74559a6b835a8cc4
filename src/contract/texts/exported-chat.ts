import type * as z from "zod";
import type { ExportChatInput } from "@/contract/exported-chat";
import type { FieldTexts, SchemaTexts } from "./schema-texts";
import { SHARED } from "./shared";

export const EXPORTED_CHAT_TEXTS = {
  "chats.export": {
    chat_id: SHARED.chat_id,
    format: [
      "`markdown` for people, `json` with all that `POST /imports` takes, `zip` with both and the files of the chat.",
      "json",
    ],
  } satisfies FieldTexts<z.infer<typeof ExportChatInput>>,
} satisfies SchemaTexts;
