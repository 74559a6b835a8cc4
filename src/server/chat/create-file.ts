import type { Artifact } from "@/contract/part";
import type { ServerContext } from "@/server/context";
import { insertArtifact } from "@/server/db/chats/artifact-writes";
import { detectFileType, detectMediaType } from "@/server/tools/artifacts/detect-media-type";
import { unknownChat } from "@/server/machine/lock-chat";

type CreateFile = { chatId: string; name: string | undefined; bytes: Uint8Array };

/**
 * Adds a file to a chat. What it is, is found by its content.
 *
 * @throws {DomainError} `not_found`, `payload_too_large`, `limit_exceeded`.
 */
export const createFile = async (
  { db, actor, newId }: ServerContext,
  { chatId, name: givenName, bytes }: CreateFile,
): Promise<Artifact> => {
  const name = givenName ?? `file.${(await detectFileType(bytes))?.ext ?? "txt"}`;
  const mediaType = await detectMediaType(bytes, name);
  const file = { id: newId(), chatId, viewer: actor, toolCallId: null, name, mediaType, bytes };
  const artifact = await db.transaction((tx) => insertArtifact(tx, file));
  if (!artifact) throw unknownChat(chatId);
  return artifact;
};
