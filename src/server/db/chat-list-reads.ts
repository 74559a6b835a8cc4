import type { ChatStatus } from "@/contract/chat";
import { searchChats } from "./chat-search";
import type { Queryable } from "./database";
import { type Chat, Prisma } from "./generated/client";
import { decodeCursor, encodeCursor, isBehind, NEWEST_FIRST } from "./list-cursor";
import type { ChatSummaryRow } from "./rows";
import { readableBy, type Viewer } from "./viewer";

export type ChatFilter = {
  viewer: Viewer;
  archived: boolean;
  /** Text in the title or in a message. */
  q?: string | undefined;
  /** A label's key, or `key:value`. */
  label?: string | undefined;
  status?: ChatStatus | undefined;
  cursor?: string | undefined;
  limit: number;
};

/** Without the long columns, which lists do not show. */
const NOT_LISTED = { systemPrompt: true, dynamicTools: true, warnings: true } as const;

/**
 * One page of the chats that the viewer may read, the last changed first.
 *
 * @returns the cursor of the next page, or null after the last one.
 * @throws {DomainError} `invalid` for a malformed cursor.
 */
export const listChats = async (
  { prisma }: Queryable,
  { q, cursor, limit, ...filter }: ChatFilter,
): Promise<{ chats: ChatSummaryRow[]; nextCursor: string | null }> => {
  const after = decodeCursor(cursor);
  const take = limit + 1;
  const where =
    q === undefined
      ? { AND: [hasProperties(filter), isBehind(after)] }
      : { id: { in: await searchChats(prisma, q, { where: hasProperties(filter), after, take }) } };
  const found = await prisma.chat.findMany({
    where,
    omit: NOT_LISTED,
    orderBy: NEWEST_FIRST,
    take,
  });
  const chats = found.slice(0, limit).map(toSummaryRow);
  const last = found.length > limit ? chats.at(-1) : undefined;
  return { chats, nextCursor: last ? encodeCursor(last) : null };
};

const hasProperties = ({
  viewer,
  archived,
  status,
  label,
}: Omit<ChatFilter, "q" | "cursor" | "limit">): Prisma.ChatWhereInput => ({
  ...readableBy(viewer),
  archivedAt: archived ? { not: null } : null,
  ...(status && { status }),
  ...(label !== undefined && hasLabel(label)),
});

const hasLabel = (label: string): Prisma.ChatWhereInput => {
  const hasKey = { labels: { path: [label], not: Prisma.DbNull } };
  const colon = label.indexOf(":");
  if (colon < 0) return hasKey;
  const [key, value] = [label.slice(0, colon), label.slice(colon + 1)];
  return { OR: [hasKey, { labels: { path: [key], equals: value } }] };
};

const toSummaryRow = (chat: Omit<Chat, keyof typeof NOT_LISTED>): ChatSummaryRow => ({
  ...chat,
  retry: chat.retry as ChatSummaryRow["retry"],
  lastError: chat.lastError as ChatSummaryRow["lastError"],
  labels: chat.labels as ChatSummaryRow["labels"],
  usage: chat.usage as ChatSummaryRow["usage"],
});
