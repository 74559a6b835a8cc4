import { DomainError } from "@/contract/domain-error";
import { cleanFileName } from "@/lib/clean-file-name";
import type { ServerContext } from "@/server/context";
import type { ImportRow } from "@/server/db/imports/import-reads";
import { findImport } from "@/server/db/imports/import-reads";
import {
  cancelImportRow,
  deleteImportRow,
  insertImport,
  queueImport,
} from "@/server/db/imports/import-writes";
import {
  deleteUsedSlices,
  IMPORT_SLICE_BYTES,
  insertImportSlice,
} from "@/server/db/sql/writes/import-slices";
import { openArchive } from "./archive";

type NewImport = {
  name?: string | undefined;
  /** With its length if that is known before. */
  file: { length: number | undefined; content: AsyncIterable<Uint8Array> };
};

/**
 * Stores an archive while it arrives, and checks what can be known without its contents. A worker then imports it.
 *
 * @throws {DomainError} `conflict` while the person has another import that is not over; `payload_too_large`; `invalid` for
 *   what is no archive that can be imported, or breaks off. Nothing is stored then.
 */
export const createImport = async (
  ctx: ServerContext,
  { name, file }: NewImport,
): Promise<ImportRow> => {
  const { db, actor: viewer, importLimits: limits } = ctx;
  if ((file.length ?? 0) > limits.maxBytes) throw createTooLargeError(limits.maxBytes);
  const id = ctx.newId();
  const cleanName = cleanFileName(name ?? "export.zip");
  if (!(await insertImport(db, { id, viewer, name: cleanName }))) throw createBusyError();
  try {
    const size = await receive(ctx, id, file.content);
    const { documents } = await openArchive(db, { importId: id, size }, limits);
    const totalBytes = documents.reduce((sum, document) => sum + document.size, 0);
    const row = await queueImport(db, id, totalBytes);
    if (!row) throw createDeletedError();
    return row;
  } catch (error) {
    await discard(ctx, id);
    throw error;
  }
};

const createBusyError = (): DomainError =>
  new DomainError(
    "conflict",
    "Another import of yours is not over. Wait for its end, or delete it.",
    {
      shouldRetry: false,
    },
  );

const createDeletedError = (): DomainError =>
  new DomainError("conflict", "The import was deleted while it was sent.", { shouldRetry: false });

/** @returns how many bytes it has. */
const receive = async (
  { db, importLimits: { maxBytes } }: ServerContext,
  id: string,
  content: AsyncIterable<Uint8Array>,
): Promise<number> => {
  let size = 0;
  let position = 0;
  for await (const bytes of toSlices(readWhole(content))) {
    size += bytes.length;
    if (size > maxBytes) throw createTooLargeError(maxBytes);
    if (!(await insertImportSlice(db, { importId: id, position, bytes })))
      throw createDeletedError();
    position += 1;
  }
  if (size === 0) throw new DomainError("invalid", "The body is empty: it must be the archive.");
  return size;
};

const createTooLargeError = (maxBytes: number): DomainError =>
  new DomainError(
    "payload_too_large",
    `An archive must not be larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`,
    { shouldRetry: false },
  );

/** @throws {DomainError} `invalid` when the client is gone. */
async function* readWhole(content: AsyncIterable<Uint8Array>) {
  try {
    yield* content;
  } catch (cause) {
    throw new DomainError("invalid", "The body has broken off before its end.", { cause });
  }
}

async function* toSlices(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of content) {
    pieces.push(piece);
    length += piece.length;
    if (length < IMPORT_SLICE_BYTES) continue;
    const bytes = Buffer.concat(pieces);
    let at = 0;
    for (; bytes.length - at >= IMPORT_SLICE_BYTES; at += IMPORT_SLICE_BYTES) {
      yield bytes.subarray(at, at + IMPORT_SLICE_BYTES);
    }
    pieces = [bytes.subarray(at)];
    length = bytes.length - at;
  }
  if (length > 0) yield Buffer.concat(pieces);
}

/**
 * Deletes an import with its upload. One that runs ends; the chats that it has made stay.
 *
 * @throws {DomainError} `not_found`.
 */
export const deleteImport = async (ctx: ServerContext, id: string): Promise<void> => {
  if (!(await findImport(ctx.db, { id, viewer: ctx.actor }))) throw unknownImport(id);
  await discard(ctx, id);
};

const discard = async ({ db, actor: viewer }: ServerContext, id: string): Promise<void> => {
  await cancelImportRow(db, { id, viewer });
  // In steps: one deletion of a large upload would block the embedded database.
  await deleteUsedSlices(db);
  await deleteImportRow(db, { id, viewer });
};

export const unknownImport = (id: string): DomainError =>
  new DomainError("not_found", `There is no import "${id}".`);
