import type { Artifact } from "@/contract/part";
import { isUuid } from "@/lib/is-uuid";
import type { Queryable } from "@/server/db/connection/database";
import { SLICE_BYTES } from "@/server/db/sql/writes/artifact-slices";
import { readableBy, type Viewer } from "./viewer";

/** A file of a chat, without its content. */
export type StoredArtifact = Artifact & {
  /** SHA-256, hex. */
  hash: string;
};

/**
 * Finds a file that the viewer may read.
 *
 * @param only.rootChatId only files of this chat and its children.
 */
export const findArtifact = async (
  { prisma }: Queryable,
  { id, viewer, ...only }: { id: string; viewer: Viewer; rootChatId?: string },
): Promise<StoredArtifact | undefined> => {
  if (!isUuid(id)) return undefined;
  const row = await prisma.artifact.findFirst({
    where: { id, chat: { ...readableBy(viewer), ...only } },
    select: { id: true, name: true, mediaType: true, size: true, hash: true },
  });
  if (!row) return undefined;
  const { mediaType: media_type, ...rest } = row;
  return { ...rest, media_type };
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
