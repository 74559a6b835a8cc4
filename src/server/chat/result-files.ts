import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import type { Transaction } from "@/server/db/connection/database";
import { moveToChat } from "@/server/db/chats/artifact-writes";
import type { ChatRow, OpenCallRow } from "@/server/db/chats/rows";
import type { CallOutcome } from "@/server/db/sql/rows/part-columns";
import type { PlacedResult } from "./check-results";
import { findNamedFiles, listUnsent, type NamedFile } from "./message-files";

export const hasFiles = (results: readonly PlacedResult[]): boolean =>
  results.some(({ fileIds = [] }) => fileIds.length > 0);

/** @throws {DomainError} `invalid` for files with the answer to a question, which a server gets. */
export const checkFiles = (
  results: readonly PlacedResult[],
  open: readonly OpenCallRow[],
): void => {
  for (const { toolCallId, fileIds = [], place } of results) {
    const call = open.find((each) => each.toolCallId === toolCallId);
    if (fileIds.length === 0 || !call?.elicitations?.length) continue;
    const message = "must be left out: the answer to a question has no files";
    const pointer = `${place}/file_ids`;
    throw new DomainError("invalid", `${pointer} ${message}.`, { errors: [{ pointer, message }] });
  }
};

/**
 * Makes the files of results those of their locked chat.
 *
 * @returns the outcomes with their files.
 * @throws {DomainError} `invalid` with the place of each file that is unknown, of another person, or of another chat;
 *   `limit_exceeded` when the files of the chat leave no room.
 */
export const takeResultFiles = async (
  tx: Transaction,
  ctx: ServerContext,
  {
    chat,
    entries,
    outcomes,
  }: { chat: ChatRow; entries: readonly PlacedResult[]; outcomes: readonly CallOutcome[] },
): Promise<CallOutcome[]> => {
  const named = entries.flatMap(listNamed);
  if (named.length === 0) return [...outcomes];
  const files = await findNamedFiles(tx, ctx, { named, rootChatId: chat.rootChatId });
  const unsent = listUnsent(files);
  if (unsent.length > 0) await moveToChat(tx, { chatId: chat.id, files: unsent });
  return outcomes.map((outcome) => {
    const entry = entries.find(({ toolCallId }) => toolCallId === outcome.toolCallId);
    const artifacts = [...new Set(entry?.fileIds)].flatMap((id) => files.get(id)?.file ?? []);
    return artifacts.length > 0 ? { ...outcome, artifacts } : outcome;
  });
};

const listNamed = ({ fileIds = [], place }: PlacedResult): NamedFile[] =>
  fileIds.map((id, index) => ({ id, pointer: `${place}/file_ids/${index}` }));
