import { DomainError } from "@/contract/domain-error";
import type { ServerContext } from "@/server/context";
import { findArtifact } from "@/server/db/chats/artifact-reads";
import { deleteUnsent } from "@/server/db/chats/artifact-writes";

/**
 * Deletes a file that belongs to no chat.
 *
 * @throws {DomainError} `not_found`; `conflict` for a file of a chat, which is deleted with the chat.
 */
export const deleteFile = async ({ db, actor }: ServerContext, id: string): Promise<void> => {
  const file = await findArtifact(db, { id, viewer: actor });
  if (!file) throw new DomainError("not_found", `There is no file "${id}".`);
  if (await deleteUnsent(db, { id, viewer: actor })) return;
  throw new DomainError("conflict", "The file belongs to a chat, and is deleted with it.", {
    shouldRetry: false,
  });
};
