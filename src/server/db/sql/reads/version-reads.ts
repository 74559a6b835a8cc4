import type { ChatStatus } from "@/contract/chat";
import type { Queryable, Statement } from "@/server/db/connection/database";
import type { ListPosition } from "@/server/db/chats/list-cursor";
import {
  ACCESS_COLUMN,
  allReadableSql,
  audienceSql,
  toViewerValue,
  type Viewer,
} from "@/server/db/chats/viewer";

/** Enough of a chat to know whether it has changed. */
export type ChatVersion = {
  chatId: string;
  /** Null for a root chat. */
  parentChatId: string | null;
  version: number;
  status: ChatStatus;
  /** Who is notified of its changes: see `isInAudience`. */
  audience: string;
};

// Raw, as the audience of a notification is an expression of SQL, and every open stream polls by these; through
// Prisma they take four times as long.

const COLUMNS = `id AS "chatId", parent_chat_id AS "parentChatId", version, status, ${audienceSql("chat")} AS audience`;

/** How long a chat counts as changed just now: several polls, of which some may fail. */
const JUST_NOW = "updated_at > now() - interval '8 seconds'";

const WATCHED: Statement = {
  name: "chat-versions",
  text: `SELECT ${COLUMNS} FROM chat WHERE id = ANY($1::uuid[])
    UNION SELECT ${COLUMNS} FROM chat WHERE parent_chat_id = ANY($2::uuid[]) AND ${JUST_NOW}
    UNION SELECT ${COLUMNS} FROM chat WHERE ${ACCESS_COLUMN} = ANY($3::text[]) AND ${JUST_NOW}`,
};

type Watched = {
  chatIds: readonly string[];
  /** Chats whose children are watched. */
  parentIds: readonly string[];
  /** Users whose chats are watched. */
  audiences: readonly string[];
};

/** The versions of chats that this process watches; of children and of all chats of somebody, those that have just changed. */
export const readChatVersions = async (
  db: Queryable,
  { chatIds, parentIds, audiences }: Watched,
): Promise<ChatVersion[]> =>
  chatIds.length + parentIds.length + audiences.length === 0
    ? []
    : db.query<ChatVersion>(WATCHED, [chatIds, parentIds, audiences]);

/** A chat's version and its place in the list of the viewer. */
export type ListedVersion = ListPosition & { version: number };

const LISTED: Statement = {
  name: "list-chat-versions",
  text: `SELECT id, version, updated_at AS "updatedAt" FROM chat
    WHERE ${allReadableSql("$1", "chat")} AND updated_at <= coalesce($2::timestamptz, 'infinity')
      AND ($3::uuid IS NULL OR updated_at < $2::timestamptz OR id < $3::uuid)
    ORDER BY updated_at DESC, id DESC LIMIT $4`,
};

/** The versions of the next chats that the viewer may read, the last changed first. */
export const listChatVersions = (
  db: Queryable,
  { viewer, after, limit }: { viewer: Viewer; after: ListPosition | undefined; limit: number },
): Promise<ListedVersion[]> =>
  db.query<ListedVersion>(LISTED, [
    toViewerValue(viewer),
    after?.updatedAt ?? null,
    after?.id ?? null,
    limit,
  ]);

const PARKED: Statement = {
  name: "list-parked-chats",
  text: `SELECT id FROM chat
    WHERE status = 'requires_action' AND ${allReadableSql("$1", "chat")}`,
};

/** The ids of the viewer's chats that wait for an action. */
export const listParkedChats = async (db: Queryable, viewer: Viewer): Promise<string[]> => {
  const rows = await db.query<{ id: string }>(PARKED, [toViewerValue(viewer)]);
  return rows.map(({ id }) => id);
};
