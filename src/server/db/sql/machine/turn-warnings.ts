import type { Queryable } from "@/server/db/connection/database";
import { toJsonText } from "@/server/db/connection/nul";
import type { ChatRow } from "@/server/db/chats/rows";
import { changeChat, metadataStatement } from "@/server/db/sql/rows/chat-row";
import { FENCE, type Fence } from "./fence";

const ADD_WARNINGS = metadataStatement<Fence & { warnings: string }>({
  name: "add-warnings",
  assign: { warnings: "warnings || $warnings::jsonb" },
  where: FENCE,
});

/** Adds sentences to the warnings of a chat that a worker holds. @returns undefined when the lease is lost. */
export const addWarnings = (
  db: Queryable,
  fence: Fence,
  warnings: readonly string[],
): Promise<ChatRow | undefined> =>
  changeChat(db, ADD_WARNINGS, { ...fence, warnings: toJsonText(warnings) });
