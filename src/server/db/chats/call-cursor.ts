import { isUuid } from "@/lib/is-uuid";
import { malformedCursor } from "./list-cursor";

/** The place of a call in the list of open calls. */
type CallPosition = { startedAt: Date; messageId: string; index: number };

const FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(.{36})_(\d{1,6})$/;

export const encodeCallCursor = ({ startedAt, messageId, index }: CallPosition): string =>
  Buffer.from(`${startedAt.toISOString()}_${messageId}_${index}`).toString("base64url");

/**
 * @returns undefined without a cursor: the list begins at its start.
 * @throws {DomainError} `invalid` for a malformed cursor.
 */
export const decodeCallCursor = (cursor: string | undefined): CallPosition | undefined => {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, "base64url").toString();
  const [, time = "", messageId = "", index] = FORM.exec(text) ?? [];
  if (!isUuid(messageId) || Number.isNaN(Date.parse(time))) throw malformedCursor();
  return { startedAt: new Date(time), messageId, index: Number(index) };
};
