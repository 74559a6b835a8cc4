import type { Content, UserContent } from "@/contract/content";
import { DomainError } from "@/contract/domain-error";
import { type Artifact, toFilePart } from "@/contract/part";
import type { ServerContext } from "@/server/context";
import { findSendable, type SendableFile } from "@/server/db/chats/artifact-reads";
import { moveToChat } from "@/server/db/chats/artifact-writes";
import type { ChatRow } from "@/server/db/chats/rows";
import type { Transaction } from "@/server/db/connection/database";
import { lockArtifacts } from "@/server/db/sql/machine/artifact-locks";

/** The content of a message with its files, of which some are not yet those of the chat. */
export type FilledContent = { content: UserContent; unsent: readonly Artifact[] };

type TextContent = Extract<Content[number], { type: "text" }>[];

/** Whether content is complete as it was sent. */
export const isTextOnly = (content: Content): content is TextContent =>
  content.every(({ type }) => type === "text");

/** Waits for other changes of the actor's files. Call it before a chat is locked, as everything that stores files does. */
export const lockFiles = async (
  tx: Transaction,
  { actor }: ServerContext,
  content: Content,
): Promise<void> => {
  if (!isTextOnly(content)) await lockArtifacts(tx, actor);
};

/**
 * Reads what a message says of its files, for a chat that may not exist yet.
 *
 * @throws {DomainError} `invalid` with the place of each file that is unknown, of another person, or of another chat.
 */
export const fillContent = async (
  tx: Transaction,
  ctx: ServerContext,
  { content, rootChatId }: { content: Content; rootChatId: string },
): Promise<FilledContent> => {
  if (isTextOnly(content)) return { content, unsent: [] };
  const files = await findNamedFiles(tx, ctx, { named: listNamedFiles(content), rootChatId });
  return { content: fillParts(content, files), unsent: listUnsent(files) };
};

/** A file that a request names, and where. */
export type NamedFile = { id: string; pointer: string };

export type NamedFiles = ReadonlyMap<string, SendableFile>;

/** @param pointer where the content stands in the request. */
export const listNamedFiles = (
  content: readonly { type: string; file_id?: string }[],
  pointer = "/content",
): NamedFile[] =>
  content.flatMap(({ file_id: id }, index) =>
    id === undefined ? [] : { id, pointer: `${pointer}/${index}/file_id` },
  );

/** @throws {DomainError} as `fillContent`. */
export const findNamedFiles = async (
  tx: Transaction,
  { actor }: ServerContext,
  { named, rootChatId }: { named: readonly NamedFile[]; rootChatId: string },
): Promise<NamedFiles> => {
  const ids = [...new Set(named.map(({ id }) => id))];
  const found = await findSendable(tx, { ids, viewer: actor, rootChatId });
  const unknown = named.filter(({ id }) => !found.has(id));
  if (unknown.length > 0) throw createUnknownError(unknown);
  return found;
};

/** The content of a message with what is known of its files. */
export const fillParts = (content: Content, files: NamedFiles): UserContent =>
  content.flatMap((part): UserContent => {
    if (part.type === "text") return [part];
    const sendable = files.get(part.file_id);
    return sendable ? [toFilePart(sendable.file)] : [];
  });

/** The files that belong to no chat yet. */
export const listUnsent = (files: NamedFiles): Artifact[] =>
  [...files.values()].flatMap(({ file, isUnsent }) => (isUnsent ? file : []));

/**
 * Makes the files of a message those of its locked chat.
 *
 * @throws {DomainError} `invalid` as `fillContent`, `limit_exceeded` when the files of the chat leave no room.
 */
export const takeFiles = async (
  tx: Transaction,
  ctx: ServerContext,
  { content, chat }: { content: Content; chat: Pick<ChatRow, "id" | "rootChatId"> },
): Promise<UserContent> => {
  const { rootChatId } = chat;
  const filled = await fillContent(tx, ctx, { content, rootChatId });
  if (filled.unsent.length > 0) await moveToChat(tx, { chatId: chat.id, files: filled.unsent });
  return filled.content;
};

const createUnknownError = (unknown: readonly NamedFile[]): DomainError =>
  new DomainError(
    "invalid",
    "A message can have files of its own chat, and files that were sent to the server for no chat yet.",
    {
      errors: unknown.map(({ pointer }) => ({
        pointer,
        message: "names no file that it can have",
      })),
    },
  );
