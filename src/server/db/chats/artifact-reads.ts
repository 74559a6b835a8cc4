import type { Artifact } from "@/contract/part";
import { isUuid } from "@/lib/is-uuid";
import type { Queryable } from "@/server/db/connection/database";
import type { Artifact as ArtifactRow } from "@/server/db/generated/client";
import { SLICE_BYTES } from "@/server/db/sql/writes/artifact-slices";
import type { Rendition } from "@/server/db/sql/writes/renditions";
import { filesOf, readableBy, unsentBy, type Viewer } from "./viewer";

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
  const where =
    rootChatId === undefined ? filesOf(viewer) : { chat: { ...readableBy(viewer), rootChatId } };
  const row = await prisma.artifact.findFirst({
    where: { id, ...where },
    select: { ...WIRE_FIELDS, hash: true },
  });
  return row ? { ...toArtifact(row), hash: row.hash } : undefined;
};

/** A file that a message may have. */
export type SendableFile = { file: Artifact; isUnsent: boolean };

/** Finds the files of these ids that a message of a chat may have: of the chat and its family, and what was not sent yet. */
export const findSendable = async (
  { prisma }: Queryable,
  { ids, viewer, rootChatId }: { ids: readonly string[]; viewer: Viewer; rootChatId: string },
): Promise<Map<string, SendableFile>> => {
  const ofFamily = { chat: { ...readableBy(viewer), rootChatId } };
  const rows = await prisma.artifact.findMany({
    where: { id: { in: [...ids] }, OR: [unsentBy(viewer), ofFamily] },
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
