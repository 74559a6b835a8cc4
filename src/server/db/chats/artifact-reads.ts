import type { Artifact } from "@/contract/part";
import { isUuid } from "@/lib/is-uuid";
import type { Queryable } from "@/server/db/connection/database";
import type { Artifact as ArtifactRow, Prisma } from "@/server/db/generated/client";
import { SLICE_BYTES } from "@/server/db/sql/writes/artifact-slices";
import type { Rendition } from "@/server/db/sql/writes/renditions";
import { filesOf, filesOfChats, filesOfFamily, readableBy, unsentBy, type Viewer } from "./viewer";

/** A file of a chat, without its content. */
export type StoredArtifact = Artifact & {
  /** SHA-256, hex. */
  hash: string;
};

/** The columns that `toArtifact` reads. */
export const WIRE_FIELDS = {
  id: true,
  name: true,
  mediaType: true,
  size: true,
  width: true,
  height: true,
} as const;

export type FileRow = Pick<ArtifactRow, keyof typeof WIRE_FIELDS>;

export const toArtifact = ({ id, name, mediaType, size, width, height }: FileRow): Artifact => ({
  id,
  name,
  media_type: mediaType,
  size,
  ...(width !== null && height !== null && { width, height }),
});

/**
 * Finds a file that the viewer may read.
 *
 * @param rootChatId only files of this chat and its children.
 */
export const findArtifact = async (
  { prisma }: Queryable,
  { id, viewer, rootChatId }: { id: string; viewer: Viewer; rootChatId?: string },
): Promise<StoredArtifact | undefined> => {
  if (!isUuid(id)) return undefined;
  const where = rootChatId === undefined ? filesOf(viewer) : filesOfFamily(viewer, rootChatId);
  const row = await prisma.artifact.findFirst({
    where: { id, ...where },
    select: { ...WIRE_FIELDS, hash: true },
  });
  return row ? { ...toArtifact(row), hash: row.hash } : undefined;
};

/** A file of a chat or of one of its agents, and where it is from. */
export type ListedFile = {
  file: Artifact;
  chatId: string;
  toolCallId: string | null;
  createdAt: Date;
};

type FileQuery = { chatId: string; viewer: Viewer };

/** Lists the files of a chat and of its agents, newest first. @param before the id of the last known file. */
export const listFiles = async (
  { prisma }: Queryable,
  { before, limit, ...query }: FileQuery & { before?: string | undefined; limit: number },
): Promise<ListedFile[]> => {
  const rows = await prisma.artifact.findMany({
    // Ids are UUIDs of version 7, which ascend with time.
    where: { ...ofChat(query), ...(before !== undefined && { id: { lt: before } }) },
    select: {
      ...WIRE_FIELDS,
      chatId: true,
      toolCallId: true,
      createdAt: true,
      shares: { where: { chatId: query.chatId }, select: { chatId: true } },
    },
    orderBy: { id: "desc" },
    take: limit,
  });
  return rows.flatMap(({ shares: [share], toolCallId, createdAt, ...row }) => {
    // A file that a fork shares is the fork's own for all who look at it.
    const chatId = share?.chatId ?? row.chatId;
    return chatId === null ? [] : [{ file: toArtifact(row), chatId, toolCallId, createdAt }];
  });
};

/** @returns how many files a chat and its agents have, and their size in bytes. */
export const sumFiles = async (
  { prisma }: Queryable,
  query: FileQuery,
): Promise<{ count: number; size: number }> => {
  const { _count: count, _sum: sum } = await prisma.artifact.aggregate({
    where: ofChat(query),
    _count: true,
    _sum: { size: true },
  });
  return { count, size: sum.size ?? 0 };
};

/** An agent's chat has its own files only. The index of roots has only chats with a parent. */
const ofChat = ({ chatId, viewer }: FileQuery): Prisma.ArtifactWhereInput => {
  const agents = { rootChatId: chatId, parentChatId: { not: null } };
  return { OR: filesOfChats({ ...readableBy(viewer), OR: [{ id: chatId }, agents] }) };
};

/** A file that a message may have. */
export type SendableFile = { file: Artifact; isUnsent: boolean };

/** Finds the files of these ids that a message of a chat may have: of the chat and its family, and what was not sent yet. */
export const findSendable = async (
  { prisma }: Queryable,
  { ids, viewer, rootChatId }: { ids: readonly string[]; viewer: Viewer; rootChatId: string },
): Promise<Map<string, SendableFile>> => {
  const rows = await prisma.artifact.findMany({
    where: { id: { in: [...ids] }, OR: [unsentBy(viewer), filesOfFamily(viewer, rootChatId)] },
    select: { ...WIRE_FIELDS, chatId: true },
  });
  return new Map(
    rows.map((row) => [row.id, { file: toArtifact(row), isUnsent: row.chatId === null }]),
  );
};

/** Reads bytes of a file in slices, the last one included. @throws {Error} when the file was deleted meanwhile. */
export async function* readArtifact(
  { prisma }: Queryable,
  { id, start, end }: { id: string; start: number; end: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = start; at <= end;) {
    const position = Math.floor(at / SLICE_BYTES);
    const sliceStart = position * SLICE_BYTES;
    const slice = await prisma.artifactSlice.findUnique({
      where: { artifactId_position: { artifactId: id, position } },
      select: { bytes: true },
    });
    const bytes = slice?.bytes.subarray(at - sliceStart, end + 1 - sliceStart);
    if (!bytes || bytes.length === 0) throw new Error("the file was deleted while it was read");
    yield bytes;
    at += bytes.length;
  }
}

/** Reads a range of a file as a whole, the last byte included. @throws as `readArtifact`. */
export const readArtifactRange = async (
  db: Queryable,
  { id, start, end }: { id: string; start: number; end: number },
): Promise<Uint8Array> => {
  const bytes = new Uint8Array(end - start + 1);
  let at = 0;
  for await (const slice of readArtifact(db, { id, start, end })) {
    bytes.set(slice, at);
    at += slice.length;
  }
  return bytes;
};

export const findRendition = async (
  { prisma }: Queryable,
  artifactId: string,
  kind: Rendition["kind"],
): Promise<Rendition | undefined> => {
  const row = await prisma.rendition.findUnique({
    where: { artifactId_kind: { artifactId, kind } },
    select: { mediaType: true, bytes: true },
  });
  return row ? { kind, ...row } : undefined;
};
