import { DomainError } from "@/contract/domain-error";
import { isUuid } from "@/lib/is-uuid";
import type { Prisma } from "@/server/db/generated/client";

/** The last row of a page in a list that is ordered by time and id, newest first. */
export type ListPosition = { updatedAt: Date; id: string };

export const NEWEST_FIRST = [
  { updatedAt: "desc" },
  { id: "desc" },
] satisfies Prisma.ChatOrderByWithRelationInput[];

/** Filters rows after a position. The first comparison is redundant, but limits the scan of an index. */
export const isBehind = (position: ListPosition | undefined): Prisma.ChatWhereInput => {
  if (!position) return {};
  const { updatedAt, id } = position;
  return {
    updatedAt: { lte: updatedAt },
    OR: [{ updatedAt: { lt: updatedAt } }, { id: { lt: id } }],
  };
};

const FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(.{36})$/;

/** The newest message that a search has not read yet, by its position; null for the newest of all. */
export type MessagePosition = { below: number | null };

/** A search goes through the titles first, then through the messages. */
export type SearchPosition = ListPosition | MessagePosition;

const MESSAGE_FORM = /^message_(\d{1,15})?$/;

export const encodeCursor = (position: SearchPosition): string =>
  Buffer.from(
    "id" in position
      ? `${position.updatedAt.toISOString()}_${position.id}`
      : `message_${position.below ?? ""}`,
  ).toString("base64url");

/**
 * @returns undefined without a cursor: the list begins at its start.
 * @throws {DomainError} `invalid` for a malformed cursor.
 */
export const decodeCursor = (cursor: string | undefined): ListPosition | undefined => {
  if (cursor === undefined) return undefined;
  const [, time, id] = FORM.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (time && id && isUuid(id) && !Number.isNaN(Date.parse(time))) {
    return { updatedAt: new Date(time), id };
  }
  throw malformedCursor();
};

export const malformedCursor = (): DomainError =>
  new DomainError("invalid", "The cursor is not one that this list has given.", {
    errors: [{ pointer: "cursor", message: "is not one that this list has given" }],
    shouldRetry: false,
  });

/** As `decodeCursor`, for the list of what a search finds. */
export const decodeSearchCursor = (cursor: string | undefined): SearchPosition | undefined => {
  const message = MESSAGE_FORM.exec(Buffer.from(cursor ?? "", "base64url").toString());
  if (!message) return decodeCursor(cursor);
  return { below: message[1] === undefined ? null : Number(message[1]) };
};
