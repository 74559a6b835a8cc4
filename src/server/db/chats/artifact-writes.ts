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
import type { Transaction } from "@/server/db/connection/database";
import { lockArtifacts } from "@/server/db/sql/machine/artifact-locks";
import { insertArtifactSlice, SLICE_BYTES } from "@/server/db/sql/writes/artifact-slices";
import { lockWritableChat } from "@/server/db/sql/machine/row-locks";
import { ownedBy, type Viewer } from "./viewer";

export type NewArtifact = {
  id: string;
  chatId: string;
  viewer: Viewer;
  /** The call that made it; null for a file of a client. */
  toolCallId: string | null;
  name: string;
  mediaType: string;
  bytes: Uint8Array | ByteSource;
};

const MEGABYTE = 1024 * 1024;

/**
 * Stores a file as the chat's. A file that the chat has already, by name and content, is not stored again.
 *
 * @returns undefined for a chat that is unknown or that the viewer may not change.
 * @throws {DomainError} `payload_too_large`, `limit_exceeded` when the chat's or the owner's files leave no room.
 */
export const insertArtifact = async (
  tx: Transaction,
  { bytes, viewer, chatId, name: givenName, ...file }: NewArtifact,
): Promise<Artifact | undefined> => {
  const source = bytes instanceof Uint8Array ? toByteSource(bytes) : bytes;
  const size = source.length;
  if (size > MAX_ARTIFACT_BYTES) throw createTooLargeError();
  await lockArtifacts(tx, viewer);
  if (!(await lockWritableChat(tx, { chatId, viewer }))) return undefined;
  const { mediaType } = file;
  const name = cleanFileName(givenName);
  const hash = hashSource(source);
  const known = await tx.prisma.artifact.findFirst({
    where: { chatId, hash, name, mediaType },
    select: { id: true },
  });
  if (known) return { id: known.id, name, media_type: mediaType, size };
  await requireRoom(tx, { viewer, chatId, size });
  await tx.prisma.artifact.create({
    data: {
      ...file,
      ...ownedBy(viewer),
      chatId,
      name,
      hash,
      size,
    },
    select: { id: true },
  });
  for (const { position, slice } of readSlices(source)) {
    await insertArtifactSlice(tx, { artifactId: file.id, position, bytes: slice });
  }
  return { id: file.id, name, media_type: mediaType, size };
};

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
  { prisma }: Transaction,
  { viewer, chatId, size }: { viewer: Viewer; chatId: string; size: number },
): Promise<void> => {
  const [chat, owner] = [{ chatId }, ownedBy(viewer)];
  const limits = [
    { where: chat, maxBytes: MAX_CHAT_ARTIFACT_BYTES, subject: "The files of a chat" },
    { where: owner, maxBytes: MAX_OWNER_ARTIFACT_BYTES, subject: "The files of all your chats" },
  ];
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
