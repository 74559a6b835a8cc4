import { createHash } from "node:crypto";
import { DomainError } from "@/contract/domain-error";
import {
  MAX_ARTIFACT_BYTES,
  MAX_CHAT_ARTIFACT_BYTES,
  MAX_OWNER_ARTIFACT_BYTES,
} from "@/contract/limits";
import type { Artifact } from "@/contract/part";
import { type ByteSource, toByteSource } from "@/lib/byte-source";
import { cleanFileName } from "@/lib/clean-file-name";
import type { Queryable, Transaction } from "@/server/db/connection/database";
import type { Prisma } from "@/server/db/generated/client";
import { lockArtifacts } from "@/server/db/sql/machine/artifact-locks";
import { insertArtifactSlice, SLICE_BYTES } from "@/server/db/sql/writes/artifact-slices";
import { lockWritableChat } from "@/server/db/sql/machine/row-locks";
import { type FileRow, toArtifact, WIRE_FIELDS } from "./artifact-reads";
import { ownedBy, unsentBy, type Viewer } from "./viewer";

export type NewArtifact = {
  id: string;
  /** Null for a file that a later message makes one of its chat. */
  chatId: string | null;
  viewer: Viewer;
  /** The call that made it; null for a file of a client. */
  toolCallId: string | null;
  name: string;
  mediaType: string;
  bytes: Uint8Array | ByteSource;
  /** Of an image that models can be shown, in pixels. */
  pixels?: { width: number; height: number } | undefined;
};

const MEGABYTE = 1024 * 1024;

/**
 * Stores a file. One that the chat has already, by name and content, is not stored again.
 *
 * @returns undefined for a chat that is unknown or that the viewer may not change.
 * @throws {DomainError} `payload_too_large`, `limit_exceeded` when the chat's or the owner's files leave no room.
 */
export const insertArtifact = async (
  tx: Transaction,
  { bytes, viewer, chatId, name: givenName, pixels, ...file }: NewArtifact,
): Promise<Artifact | undefined> => {
  const source = bytes instanceof Uint8Array ? toByteSource(bytes) : bytes;
  const size = source.length;
  if (size > MAX_ARTIFACT_BYTES) throw createTooLargeError();
  await lockArtifacts(tx, viewer);
  if (chatId !== null && !(await lockWritableChat(tx, { chatId, viewer }))) return undefined;
  const { mediaType } = file;
  const name = cleanFileName(givenName);
  const hash = hashSource(source);
  const known =
    chatId !== null &&
    (await tx.prisma.artifact.findFirst({
      where: { ...heldBy(chatId), hash, name, mediaType },
      select: WIRE_FIELDS,
    }));
  if (known) return toArtifact(await addPixels(tx, known, pixels));
  await requireRoom(tx, { viewer, chatId, size });
  await tx.prisma.artifact.create({
    data: {
      ...file,
      ...ownedBy(viewer),
      chatId,
      name,
      hash,
      size,
      ...pixels,
    },
    select: { id: true },
  });
  for (const { position, slice } of readSlices(source)) {
    await insertArtifactSlice(tx, { artifactId: file.id, position, bytes: slice });
  }
  return { id: file.id, name, media_type: mediaType, size, ...pixels };
};

/** Says that models can be shown an image. */
export const setPixels = async (
  { prisma }: Transaction,
  id: string,
  pixels: NonNullable<NewArtifact["pixels"]>,
): Promise<void> => {
  await prisma.artifact.updateMany({ where: { id }, data: pixels });
};

/** The files that count to the limit of a chat: its own, and those that it shares. */
const heldBy = (chatId: string): Prisma.ArtifactWhereInput => ({
  OR: [{ chatId }, { shares: { some: { chatId } } }],
});

/** A tool stores images without their pixels, as it shows them by others. */
const addPixels = async (
  { prisma }: Transaction,
  known: FileRow,
  pixels: NewArtifact["pixels"],
): Promise<FileRow> =>
  pixels && known.width === null
    ? prisma.artifact.update({ where: { id: known.id }, data: pixels, select: WIRE_FIELDS })
    : known;

const hashSource = (source: ByteSource): string => {
  const hash = createHash("sha256");
  for (const { slice } of readSlices(source)) hash.update(slice);
  return hash.digest("hex");
};

/** Reads a content slice by slice, as it is stored. All slices use the same memory. */
function* readSlices(source: ByteSource): Generator<{ position: number; slice: Buffer }> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(SLICE_BYTES, source.length));
  for (let start = 0; start < source.length; start += SLICE_BYTES) {
    const slice = buffer.subarray(0, Math.min(SLICE_BYTES, source.length - start));
    source.read(slice, start);
    yield { position: start / SLICE_BYTES, slice };
  }
}

const createTooLargeError = (): DomainError =>
  new DomainError(
    "payload_too_large",
    `A file must not be larger than ${MAX_ARTIFACT_BYTES / MEGABYTE} MB.`,
    { shouldRetry: false },
  );

const requireRoom = async (
  tx: Transaction,
  { viewer, chatId, size }: { viewer: Viewer; chatId: string | null; size: number },
): Promise<void> => {
  const place =
    chatId === null
      ? { where: unsentBy(viewer), subject: "The files that wait to be sent" }
      : { where: heldBy(chatId), subject: "The files of a chat" };
  await checkRoom(tx, size, [
    { ...place, maxBytes: MAX_CHAT_ARTIFACT_BYTES },
    {
      where: ownedBy(viewer),
      maxBytes: MAX_OWNER_ARTIFACT_BYTES,
      subject: "The files of all your chats",
    },
  ]);
};

type Room = { where: Prisma.ArtifactWhereInput; subject: string; maxBytes: number };

const checkRoom = async (
  { prisma }: Transaction,
  size: number,
  limits: readonly Room[],
): Promise<void> => {
  for (const { where, maxBytes, subject } of limits) {
    const { _sum: sum } = await prisma.artifact.aggregate({ where, _sum: { size: true } });
    if ((sum.size ?? 0) + size <= maxBytes) continue;
    throw new DomainError(
      "limit_exceeded",
      `${subject} may hold ${maxBytes / MEGABYTE} MB together, and there is no room for this one. Delete chats that are no longer needed.`,
      { shouldRetry: false },
    );
  }
};

/**
 * Makes files that no message has yet those of a chat, which the transaction has locked or made, after `lockArtifacts`.
 *
 * @throws {DomainError} `limit_exceeded` when the chat's files leave no room, `conflict` when one was deleted meanwhile.
 */
export const moveToChat = async (
  tx: Transaction,
  { chatId, files }: { chatId: string; files: readonly Pick<Artifact, "id" | "size">[] },
): Promise<void> => {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const limit = { maxBytes: MAX_CHAT_ARTIFACT_BYTES, subject: "The files of a chat" };
  await checkRoom(tx, size, [{ ...limit, where: heldBy(chatId) }]);
  const id = { in: files.map((file) => file.id) };
  const where = { id, chatId: null };
  const { count } = await tx.prisma.artifact.updateMany({ where, data: { chatId } });
  if (count === files.length) return;
  throw new DomainError("conflict", "A file of the message was deleted while it was sent.", {
    shouldRetry: false,
  });
};

/** Deletes a file that no message has. @returns whether there was one. */
export const deleteUnsent = async (
  { prisma }: Queryable,
  { id, viewer }: { id: string; viewer: Viewer },
): Promise<boolean> => {
  const { count } = await prisma.artifact.deleteMany({ where: { id, ...unsentBy(viewer) } });
  return count > 0;
};
