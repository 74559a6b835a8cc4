import { isUuid } from "@/lib/is-uuid";
import { readableSql, toViewerValue, type Viewer } from "@/server/db/chats/viewer";
import { type CallClaimRow, findHeld, type ToolCallPartRow } from "@/server/db/chats/rows";
import type { Queryable } from "@/server/db/connection/database";
import { CLAIM_OF_PART, type ClaimRecord, toClaimRow } from "@/server/db/sql/rows/claim-columns";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";
import { type PartRecord, toPartRow } from "@/server/db/sql/rows/part-columns";

type FindValues = { chatId: string; toolCallId: string; viewer: (string | null)[] };

/** Raw, as Prisma Client would round the numbers of an output. */
const FIND = nameValues<FindValues>({
  name: "find-call",
  text: `SELECT row_to_json(part) AS part, ${CLAIM_OF_PART} AS claim, message.deleted FROM message JOIN part ON part.message_id = message.id
    WHERE message.chat_id = $chatId::uuid AND part.tool_call_id = $toolCallId AND part.kind <> 'provider'
      AND EXISTS (SELECT FROM chat WHERE id = $chatId::uuid AND ${readableSql("$viewer", "chat")})
    ORDER BY message.seq DESC LIMIT 1`,
});

/** A call of a message, which an edit may have replaced. */
export type FoundCall = {
  call: ToolCallPartRow & { messageId: string };
  isReplaced: boolean;
  /** Null when no program holds the call. */
  claim: CallClaimRow | null;
};

/** Finds the newest call of a chat with an id, open or ended. */
export const findCall = async (
  db: Queryable,
  { viewer, ...search }: { chatId: string; toolCallId: string; viewer: Viewer },
): Promise<FoundCall | undefined> => {
  if (!isUuid(search.chatId)) return undefined;
  type Row = {
    part: PartRecord & { message_id: string };
    claim: ClaimRecord | null;
    deleted: boolean;
  };
  const values = { ...search, viewer: toViewerValue(viewer) };
  const [row] = await runNamed<Row, FindValues>(db, FIND, values);
  if (!row) return undefined;
  const call = toPartRow(row.part);
  if (call.type !== "tool_call") return undefined;
  return {
    call: { ...call, messageId: row.part.message_id },
    isReplaced: row.deleted,
    claim: findHeld(row.claim && toClaimRow(row.claim)),
  };
};
