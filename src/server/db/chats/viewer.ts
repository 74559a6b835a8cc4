import type { Prisma } from "@/server/db/generated/client";

/**
 * A user who reads or writes chats, such as the actor of a request. Only this file decides which chats a
 * viewer may read and write, in every form that the data layer needs; today these are the viewer's own
 * chats. Work of the process itself (leases, polls, counts) reads without a viewer.
 */
export type Viewer = { userId: string };

/** The fields of a chat by which access is decided. */
export type ChatAccess = { ownerId: string };

/** The column of `ChatAccess`, in chats and in rows that belong to a chat. */
export const ACCESS_COLUMN = "owner_id";

/** The SQL types of `ChatAccess`. */
export const ACCESS_TYPES = { ownerId: "text" } as const satisfies Record<keyof ChatAccess, string>;

/** The access fields of a chat, or of something in a chat, that the viewer creates. */
export const ownedBy = ({ userId }: Viewer): ChatAccess => ({ ownerId: userId });

/** SQL of the access fields of a chat that the viewer at the placeholder creates. */
export const ownedBySql = (placeholder: string): Record<keyof ChatAccess, string> => ({
  ownerId: placeholder,
});

/** @returns the user for whom a worker acts in the chat. */
export const toViewer = ({ ownerId }: ChatAccess): Viewer => ({ userId: ownerId });

/** What decides whether a chat is shown: one that an import is still writing is hidden. */
type WholeChat = ChatAccess & { importId: string | null };

/** Whether the viewer may read a chat that is loaded already. */
export const canRead = ({ userId }: Viewer, chat: WholeChat): boolean =>
  chat.ownerId === userId && chat.importId === null;

/** Whether the viewer may change a chat that is loaded already. */
export const canWrite = (viewer: Viewer, chat: WholeChat): boolean => canRead(viewer, chat);

/** The chats that the viewer may read. */
export const readableBy = ({ userId }: Viewer): Prisma.ChatWhereInput => ({
  ownerId: userId,
  importId: null,
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

/** The approval rules that the viewer may read and revoke: of such chats, and the viewer's own for all chats. */
export const rulesOf = (viewer: Viewer): Prisma.ApprovalRuleWhereInput => ({
  OR: [{ chat: writableBy(viewer) }, ownedBy(viewer)],
});

/** As `readableBy`, for the chats that the viewer may change. */
export const writableBy = (viewer: Viewer): Prisma.ChatWhereInput => readableBy(viewer);

/** The value to bind at a placeholder of the conditions below. */
export const toViewerValue = ({ userId }: Viewer): string => userId;

/**
 * The condition that the viewer at the placeholder may read a row of `chat` that the statement names
 * by its id. The comparison cannot use the index of owners, through which a planner without
 * statistics would look at all chats of the owner.
 */
export const readableSql = (placeholder: string): string =>
  `${ACCESS_COLUMN} IS NOT DISTINCT FROM ${placeholder} AND import_id IS NULL`;

/** As `readableSql`, for a statement that changes the chat. */
export const writableSql = (placeholder: string): string => readableSql(placeholder);

/** As `readableSql`, for a statement over all chats of the viewer, which does use the index. */
export const allReadableSql = (placeholder: string): string =>
  `${ACCESS_COLUMN} = ${placeholder} AND import_id IS NULL`;

/** SQL for who is to be notified of a change to the row `alias` of `chat`, as one text. */
export const audienceSql = (alias: string): string => `${alias}.${ACCESS_COLUMN}`;

/** Whether the viewer may read the chat of a notification. @param audience what `audienceSql` gave. */
export const isInAudience = ({ userId }: Viewer, audience: string): boolean => audience === userId;
