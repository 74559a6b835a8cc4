import { DomainError } from "@/contract/domain-error";
import { isUuid } from "@/lib/is-uuid";

/** The last row of a page in a list that is ordered by time and id, newest first. */
export type ListPosition = { time: Date | "infinity"; id: string };

/** Before every row. */
const START: ListPosition = { time: "infinity", id: "ffffffff-ffff-ffff-ffff-ffffffffffff" };

const FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_(.{36})$/;

export const encodeCursor = ({ time, id }: { time: Date; id: string }): string =>
  Buffer.from(`${time.toISOString()}_${id}`).toString("base64url");

/** @throws {DomainError} `invalid` when the text is no cursor of ours; none at all is the start. */
export const decodeCursor = (cursor: string | undefined): ListPosition => {
  if (cursor === undefined) return START;
  const [, time, id] = FORM.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (time && id && isUuid(id) && !Number.isNaN(Date.parse(time))) {
    return { time: new Date(time), id };
  }
  throw new DomainError("invalid", "The cursor is not one that this list has given.", {
    errors: [{ pointer: "cursor", message: "is not one that this list has given" }],
    shouldRetry: false,
  });
};
