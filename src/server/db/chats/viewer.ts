import type { Labels } from "@/contract/labels";
import type { Prisma } from "@/server/db/generated/client";

/**
 * A user who reads or writes chats, such as the actor of a request. Only this file decides which chats a
 * viewer may read and write, in every form that the data layer needs; today these are the viewer's own
 * chats, or those with some labels. An agent has the labels of its root chat. Work of the process itself (leases, polls,
 * counts) reads without a viewer.
 */
export type Viewer = {
  userId: string;
  /** What all chats of the viewer have, for a key that is restricted to them. */
  labels?: Labels | undefined;
  /** The only chat of the viewer, with its agents, for a token that is restricted to it. */
  chatId?: string | undefined;
};

/** The fields by which a chat belongs to a viewer. */
export type ChatAccess = { ownerId: string };

/** The column of `ChatAccess`, in chats and in rows that belong to a chat. */
export const ACCESS_COLUMN = "owner_id";

/** The SQL types of `ChatAccess`. */
export const ACCESS_TYPES = { ownerId: "text" } as const satisfies Record<keyof ChatAccess, string>;

/** Whether the viewer sees all chats of the user. */
export const seesAll = ({ labels, chatId }: Viewer): boolean =>
  labels === undefined && chatId === undefined;

/** The access fields of a chat, or of something in a chat, that the viewer creates. */
export const ownedBy = ({ userId }: Viewer): ChatAccess => ({ ownerId: userId });

/** SQL of the access fields, and of the labels, of a chat that the viewer at the placeholder creates. */
export const ownedBySql = (placeholder: string): Record<keyof ChatAccess | "labels", string> => ({
  ownerId: ownerSql(placeholder),
  labels: `coalesce(${labelsSql(placeholder)}, '{}')`,
});

const ownerSql = (placeholder: string): string => `(${placeholder}::text[])[1]`;
const chatSql = (placeholder: string): string => `((${placeholder}::text[])[3])::uuid`;
const labelsSql = (placeholder: string): string => `((${placeholder}::text[])[2])::jsonb`;

/** @returns the user for whom a worker acts in the chat. */
export const toViewer = ({ ownerId }: ChatAccess): Viewer => ({ userId: ownerId });

/** What decides whether a chat is shown: one that an import is still writing is hidden. */
type WholeChat = ChatAccess & { importId: string | null };
type LoadedChat = WholeChat & {
  id: string;
  rootChatId: string;
  parentChatId: string | null;
  labels: Labels;
};

/** Whether it is known that the viewer may read a chat that is loaded already. An agent does not say what labels its root chat has. */
export const canRead = ({ userId, labels, chatId }: Viewer, chat: LoadedChat): boolean =>
  chat.ownerId === userId &&
  chat.importId === null &&
  (chatId === undefined || chat.id === chatId || chat.rootChatId === chatId) &&
  (labels === undefined || (chat.parentChatId === null && hasLabels(chat.labels, labels)));

const hasLabels = (own: Labels, needed: Labels): boolean =>
  Object.entries(needed).every(([name, value]) => Object.hasOwn(own, name) && own[name] === value);

/** Whether the viewer may change a chat that was read as one of the viewer's. */
export const canWrite = ({ userId }: Viewer, chat: WholeChat): boolean =>
  chat.ownerId === userId && chat.importId === null;

/** The chats that the viewer may read. Its conditions stand beside an `OR` of the caller. */
export const readableBy = ({ userId, labels, chatId }: Viewer): Prisma.ChatWhereInput => ({
  ownerId: userId,
  importId: null,
  AND: [
    labels
      ? { OR: [{ parentChatId: null, ...withLabels(labels) }, { parent: withLabels(labels) }] }
      : {},
    chatId === undefined ? {} : { OR: [{ id: chatId }, { rootChatId: chatId }] },
  ],
});

const withLabels = (labels: Labels): Prisma.ChatWhereInput => ({
  AND: Object.entries(labels).map(([name, value]) => ({
    labels: { path: [name], equals: value },
  })),
});

/** The files of some chats: their own, and those that they share. */
export const filesOfChats = (chat: Prisma.ChatWhereInput): Prisma.ArtifactWhereInput[] => [
  { chat },
  { shares: { some: { chat } } },
];

/** The files that the viewer may read: those of such chats, and the viewer's own that no message has yet. */
export const filesOf = (viewer: Viewer): Prisma.ArtifactWhereInput => ({
  OR: [...filesOfChats(readableBy(viewer)), unsentBy(viewer)],
});

/** The files of a root chat and its children, if the viewer may read them. */
export const filesOfFamily = (viewer: Viewer, rootChatId: string): Prisma.ArtifactWhereInput => ({
  OR: filesOfChats({ ...readableBy(viewer), rootChatId }),
});

/** The files that the viewer has sent to the server, and not yet with a message. */
export const unsentBy = (viewer: Viewer): Prisma.ArtifactWhereInput => ({
  chatId: null,
  ...ownedBy(viewer),
});

/** The approval rules that the viewer may read and revoke: of such chats, and the viewer's own for all chats, if all are the viewer's. */
export const rulesOf = (viewer: Viewer): Prisma.ApprovalRuleWhereInput => ({
  OR: [{ chat: writableBy(viewer) }, ...(seesAll(viewer) ? [ownedBy(viewer)] : [])],
});

/** As `readableBy`, for the chats that the viewer may change. */
export const writableBy = (viewer: Viewer): Prisma.ChatWhereInput => readableBy(viewer);

/** The value to bind at a placeholder of the conditions below: the user, the labels as JSON, and the chat. */
export const toViewerValue = ({ userId, labels, chatId }: Viewer): (string | null)[] =>
  labels || chatId !== undefined
    ? [userId, labels ? JSON.stringify(labels) : null, chatId ?? null]
    : [userId];

/** What distinguishes viewers. */
export const toViewerKey = (viewer: Viewer): string => JSON.stringify(toViewerValue(viewer));

/** SQL of the value of the viewer with this key, where each row has a viewer of its own. */
export const viewerOfKeySql = (key: string): string =>
  `ARRAY(SELECT json_array_elements_text(${key}::json))`;

/**
 * The condition that the viewer at the placeholder may read a row of `chat` that the statement names
 * by its id. The comparison cannot use the index of owners, through which a planner without
 * statistics would look at all chats of the owner.
 *
 * @param alias the name of the row in the statement.
 */
export const readableSql = (placeholder: string, alias: string): string =>
  `${alias}.${ACCESS_COLUMN} IS NOT DISTINCT FROM ${ownerSql(placeholder)} AND ${restrictedSql(placeholder, alias)}`;

/** As `readableSql`, for a statement that changes the chat. */
export const writableSql = (placeholder: string, alias: string): string =>
  readableSql(placeholder, alias);

/** As `readableSql`, for a statement over all chats of the viewer, which does use the index. */
export const allReadableSql = (placeholder: string, alias: string): string =>
  `${alias}.${ACCESS_COLUMN} = ${ownerSql(placeholder)} AND ${restrictedSql(placeholder, alias)}`;

/** Root chats are looked up only for a viewer with labels. */
const restrictedSql = (placeholder: string, alias: string): string =>
  `${alias}.import_id IS NULL AND (${labelsSql(placeholder)} IS NULL OR (
    SELECT viewed.labels @> ${labelsSql(placeholder)} FROM chat AS viewed WHERE viewed.id = ${alias}.root_chat_id))
  AND (${chatSql(placeholder)} IS NULL OR ${chatSql(placeholder)} IN (${alias}.id, ${alias}.root_chat_id))`;

/** SQL for who is to be notified of a change to the row `alias` of `chat`, as one text. */
export const audienceSql = (alias: string): string => `${alias}.${ACCESS_COLUMN}`;

/**
 * Whether the viewer may be able to read the chat of a notification, which has no labels: what is sent is read by the
 * conditions above.
 *
 * @param audience what `audienceSql` gave.
 */
export const isInAudience = ({ userId }: Viewer, audience: string): boolean => audience === userId;
