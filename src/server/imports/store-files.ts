import { setTimeout as delay } from "node:timers/promises";
import { DomainError, isUnavailable } from "@/contract/domain-error";
import type { ExportedChat } from "@/contract/exported-chat";
import { MAX_CHAT_ARTIFACT_BYTES } from "@/contract/limits";
import type { Artifact } from "@/contract/part";
import { createFile } from "@/server/chat/create-file";
import { type Archive, toReason } from "./archive";
import type { Conversation, FileContent } from "./conversation";

type FileDeps = Pick<Parameters<typeof createFile>[0], "db" | "actor" | "newId"> & {
  archive: Archive;
};

/**
 * Stores the files of a conversation that its messages name, or that it lists. They are the person's until the chats are
 * stored, as those that are sent before their message.
 *
 * @returns them by their ids in the document, and a sentence for each that could not be stored.
 */
export const storeFiles = async (
  deps: FileDeps,
  { chats, files }: Conversation,
): Promise<{ stored: Map<string, Artifact>; notes: string[] }> => {
  const stored = new Map<string, Artifact>();
  const notes: string[] = [];
  let size = 0;
  for (const id of new Set(chats.flatMap(({ chat }) => listFileIds(chat)))) {
    const file = files.get(id);
    if (!file) continue;
    const result = await storeFile(deps, file, MAX_CHAT_ARTIFACT_BYTES - size);
    if (typeof result === "string") {
      notes.push(`The file "${file.name.slice(0, MAX_SHOWN_NAME)}" is missing: ${result}`);
      continue;
    }
    size += result.size;
    stored.set(id, result);
  }
  return { stored, notes };
};

const MAX_SHOWN_NAME = 100;

export const listFileIds = ({ messages, files }: ExportedChat): string[] => [
  ...files.map(({ file_id }) => file_id),
  ...messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.flatMap((part) => toFileIds(part)),
  ),
];

const toFileIds = (part: {
  type: string;
  file_id?: string;
  files?: string[] | undefined;
}): string[] => (part.file_id === undefined ? (part.files ?? []) : [part.file_id]);

/** @returns why it could not be stored, as a sentence. */
const storeFile = async (
  { archive, ...deps }: FileDeps,
  { name, content }: { name: string; content: FileContent },
  room: number,
): Promise<Artifact | string> => {
  try {
    const bytes = await readContent(archive, content);
    if (!bytes) return "it is not in the archive.";
    if (bytes.length > room) return "the files of the chat have too many bytes together.";
    return await whenFree(() => createFile(deps, { name, bytes }));
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (error instanceof DomainError) return error.message;
    return `${toReason(error)}.`;
  }
};

const readContent = async (
  archive: Archive,
  content: FileContent,
): Promise<Uint8Array | undefined> =>
  "text" in content ? Buffer.from(content.text) : archive.findFile(content)?.read();

/** Others are waited for that decode images, as a person would try it again. */
const whenFree = async <Result>(run: () => Promise<Result>): Promise<Result> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      const wait = error instanceof DomainError ? error.retryAfterSeconds : undefined;
      if (wait === undefined || tries === MAX_TRIES) throw error;
      await delay(wait * 1_000);
    }
  }
};

const MAX_TRIES = 30;
