import { DomainError } from "@/contract/domain-error";
import { MAX_STARTING_TEXTS } from "@/contract/limits";
import { isUuid } from "@/lib/is-uuid";
import type { ServerContext } from "@/server/context";
import type { StartingTextRow } from "@/server/db/settings/starting-text-reads";
import {
  deleteStartingTextRow,
  insertStartingText,
} from "@/server/db/settings/starting-text-writes";

/** @throws {DomainError} `conflict` if the caller has as many as are allowed. */
export const createStartingText = async (
  { db, actor: { userId }, newId }: ServerContext,
  text: string,
): Promise<StartingTextRow> => {
  const limit = MAX_STARTING_TEXTS;
  const row = await insertStartingText(db, { id: newId(), userId, text, limit });
  if (row) return row;
  const detail = `You have ${limit} starting texts, which is the most. Remove one first.`;
  throw new DomainError("conflict", detail);
};

/** @throws {DomainError} `not_found` for one that the caller has not. */
export const deleteStartingText = async (
  { db, actor: { userId } }: ServerContext,
  id: string,
): Promise<void> => {
  const isDeleted = isUuid(id) && (await deleteStartingTextRow(db, { id, userId }));
  if (!isDeleted) throw new DomainError("not_found", `There is no starting text "${id}".`);
};
