import type { ChatStatus } from "@/contract/chat";
import { searchChats } from "./chat-search";
import type { Database } from "@/server/db/connection/database";
import { type Chat, Prisma } from "@/server/db/generated/client";
import {
  decodeCursor,
  decodeSearchCursor,
  encodeCursor,
  isBehind,
  NEWEST_FIRST,
} from "./list-cursor";
import type { ChatSummaryRow } from "./rows";
import {
  type Attention,
  findAttention,
  listAskingChats,
  listHeldChats,
} from "@/server/db/sql/reads/attention-reads";
import { findLabeledChats } from "@/server/db/sql/reads/label-reads";
import { readableBy, type Viewer } from "./viewer";

export type ChatFilter = {
  viewer: Viewer;
  /** Undefined for archived chats and others. */
  archived: boolean | undefined;
  /** Text in the title or in a message. */
  q?: string | undefined;
  /** Labels that the chats have, as `key=value`, `key` or `key:value`. */
  labels?: readonly string[] | undefined;
  status?: ChatStatus | undefined;
  /** True for the chats that wait for a person, false for the others. */
  needsYou?: boolean | undefined;
  /** Only the forks of this chat. */
  forkedFrom?: string | undefined;
  /** Only the chat with this id of its client. */
  externalId?: string | undefined;
  /** Only temporary chats. Others are listed where they are asked for by what they need or come from. */
  temporary?: boolean | undefined;
  cursor?: string | undefined;
  limit: number;
};

/** Without the long columns, which lists do not show. */
const NOT_LISTED = {
  systemPrompt: true,
  parameters: true,
  dynamicTools: true,
  toolNames: true,
  groupNames: true,
  warnings: true,
  compaction: true,
} as const;

/**
 * One page of the chats that the viewer may read, the last changed first; those of a search in its order.
 *
 * @returns the cursor of the next page, or null after the last one. A page of a search may have fewer
 *   chats than the limit, or none, and a next page.
 * @throws {DomainError} `invalid` for a malformed cursor.
 */
export const listChats = async (
  db: Database,
  { q, cursor, limit, needsYou, temporary = false, ...filter }: ChatFilter,
): Promise<{ chats: ChatSummaryRow[]; nextCursor: string | null }> => {
  const needs = needsYou === undefined ? {} : await hasNeed(db, filter.viewer, needsYou);
  const labeled = await hasLabels(db, filter);
  const kept = isKept({ ...filter, q, needsYou, temporary });
  const load = async (where: Prisma.ChatWhereInput, take?: number): Promise<FoundChat[]> => {
    const found = await db.prisma.chat.findMany({
      where: { AND: [hasProperties(filter), ...labeled, kept, needs, where] },
      omit: NOT_LISTED,
      orderBy: NEWEST_FIRST,
      ...(take !== undefined && { take }),
    });
    return found.map(toFoundChat);
  };
  if (q !== undefined) {
    const { chats, matches, next } = await searchChats(
      db,
      { viewer: filter.viewer, q },
      {
        limit,
        after: decodeSearchCursor(cursor),
        load: (chatIds) =>
          chatIds.length > 0 ? load({ id: { in: chatIds } }) : Promise.resolve([]),
      },
    );
    const matchByChat = new Map(matches.map(({ chatId, ...match }) => [chatId, match]));
    const found = chats.map((chat) => ({ ...chat, match: matchByChat.get(chat.id) }));
    return {
      chats: await withAttention(db, filter.viewer, found),
      nextCursor: next && encodeCursor(next),
    };
  }
  const found = await load(isBehind(decodeCursor(cursor)), limit + 1);
  const chats = found.slice(0, limit);
  const last = found.length > limit ? chats.at(-1) : undefined;
  return {
    chats: await withAttention(db, filter.viewer, chats),
    nextCursor: last ? encodeCursor(last) : null,
  };
};

const hasProperties = ({
  viewer,
  archived,
  status,
  forkedFrom,
  externalId,
}: Omit<ChatFilter, "q" | "cursor" | "limit" | "needsYou">): Prisma.ChatWhereInput => ({
  ...readableBy(viewer),
  ...(archived !== undefined && { archivedAt: archived ? { not: null } : null }),
  ...(status === "requires_action" ? IS_PARKED : status && { status }),
  ...(forkedFrom !== undefined && { forkedFromId: forkedFrom }),
  ...(externalId !== undefined && { externalId }),
});

const isKept = ({
  q,
  needsYou,
  temporary,
  forkedFrom,
  externalId,
}: Omit<ChatFilter, "limit">): Prisma.ChatWhereInput => {
  if (temporary) return { keptHours: { not: null } };
  const isNamed = forkedFrom !== undefined || externalId !== undefined;
  // A person must not miss what a turn waits for.
  return q === undefined && (needsYou === true || isNamed) ? {} : { keptHours: null };
};

/** Only chats in this status have a deadline, and an index has those few. */
const IS_PARKED = {
  status: "requires_action",
  actionDeadlineAt: { not: null },
} satisfies Prisma.ChatWhereInput;

const hasNeed = async (
  db: Database,
  viewer: Viewer,
  needsYou: boolean,
): Promise<Prisma.ChatWhereInput> => {
  const held = await listHeldChats(db, viewer);
  const either = [
    { ...IS_PARKED, id: { notIn: held } },
    { id: { in: await listAskingChats(db, viewer) } },
  ];
  return needsYou ? { OR: either } : { NOT: either };
};

/** Chats with rare labels are found by the index of labels, those with common ones while the newest are read. */
const hasLabels = async (
  db: Database,
  { viewer, labels = [] }: Pick<ChatFilter, "viewer" | "labels">,
): Promise<Prisma.ChatWhereInput[]> => {
  const exact = labels.flatMap((label) => toExactLabel(label) ?? []);
  const conditions = labels.map(hasLabel);
  if (exact.length === 0) return conditions;
  const ids = await findLabeledChats(db, { viewer, labels: Object.fromEntries(exact) });
  return ids ? [...conditions, { id: { in: ids } }] : conditions;
};

const toExactLabel = (label: string): [[key: string, value: string]] | undefined => {
  const at = label.indexOf("=");
  return at > 0 ? [[label.slice(0, at), label.slice(at + 1)]] : undefined;
};

const hasLabel = (label: string): Prisma.ChatWhereInput => {
  const [exact] = toExactLabel(label) ?? [];
  if (exact) return { labels: { path: [exact[0]], equals: exact[1] } };
  const hasKey = { labels: { path: [label], not: Prisma.DbNull } };
  const colon = label.indexOf(":");
  if (colon < 0) return hasKey;
  const [key, value] = [label.slice(0, colon), label.slice(colon + 1)];
  return { OR: [hasKey, { labels: { path: [key], equals: value } }] };
};

type FoundChat = Omit<ChatSummaryRow, keyof Attention>;

const withAttention = async (
  db: Database,
  viewer: Viewer,
  chats: readonly FoundChat[],
): Promise<ChatSummaryRow[]> => {
  const getAttention = await findAttention(
    db,
    viewer,
    chats.map(({ id }) => id),
  );
  return chats.map((chat) => ({ ...chat, ...getAttention(chat.id) }));
};

const toFoundChat = (chat: Omit<Chat, keyof typeof NOT_LISTED>): FoundChat => ({
  ...chat,
  retry: chat.retry as ChatSummaryRow["retry"],
  lastError: chat.lastError as ChatSummaryRow["lastError"],
  labels: chat.labels as ChatSummaryRow["labels"],
  usage: chat.usage as ChatSummaryRow["usage"],
});
