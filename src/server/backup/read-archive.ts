import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import * as web from "node:stream/web";
import { createGunzip } from "node:zlib";
import { createTarDecoder, type TarHeader } from "modern-tar";
import { getErrorMessage } from "@/lib/error-message";
import { hasErrorCode } from "@/lib/has-error-code";
import { digestHeader } from "./digest-header";
import { End, END_NAME, FORMAT, Manifest, MANIFEST_NAME } from "./manifest";

export type ArchiveEntry = { header: TarHeader; body: AsyncIterable<Uint8Array> };

/** What is done with each entry; what it leaves of a body is skipped. */
type Handler = (entry: ArchiveEntry, manifest: Manifest) => Promise<void> | void;

/** A sentence about a file that cannot be restored. */
class ArchiveError extends Error {}

/** Carries what the handler of an entry threw, which says nothing about the file. */
class HandlerError extends Error {}

/**
 * Reads a backup from its begin to its end.
 *
 * @throws {Error} a sentence, for a file that is no backup, cut or altered.
 */
export const readArchive = async (
  file: string,
  handle: Handler,
): Promise<{ manifest: Manifest; end: End }> => {
  const unpacked = createGunzip();
  // Its failure is that of its last stream.
  pipeline(createReadStream(file), unpacked, () => undefined);
  try {
    return await readEntries(unpacked, handle);
  } catch (error) {
    throw error instanceof HandlerError ? error.cause : explain(file, error);
  } finally {
    unpacked.destroy();
  }
};

const readEntries = async (unpacked: Readable, handle: Handler) => {
  // The types of Node and of browsers differ.
  const bytes = web.ReadableStream.from(unpacked) as unknown as ReadableStream<
    Uint8Array<ArrayBuffer>
  >;
  const hash = createHash("sha256");
  let manifest: Manifest | undefined;
  let end: End | undefined;
  for await (const { header, body } of bytes.pipeThrough(createTarDecoder({ strict: true }))) {
    if (header.name === END_NAME) {
      end = End.parse(JSON.parse(await readText({ header, body })));
      if (end.sha256 !== hash.digest("hex")) throw new ArchiveError("its content was altered");
      continue;
    }
    if (end) throw new ArchiveError("something follows its end");
    hash.update(digestHeader(header));
    const entry = { header, body: digestBody(body, hash) };
    if (manifest) await handleEntry(handle, entry, manifest);
    else manifest = await readManifest(entry);
    await skip(entry.body);
  }
  if (!manifest) throw new ArchiveError("it is empty");
  if (!end) throw new ArchiveError("it is cut");
  return { manifest, end };
};

const handleEntry = async (
  handle: Handler,
  entry: ArchiveEntry,
  manifest: Manifest,
): Promise<void> => {
  try {
    await handle(entry, manifest);
  } catch (cause) {
    throw new HandlerError("", { cause });
  }
};

async function* digestBody(
  body: AsyncIterable<Uint8Array>,
  hash: Hash,
): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    hash.update(piece);
    yield piece;
  }
}

/** Reads the rest of a body, without which no entry follows. */
const skip = async (body: AsyncIterable<Uint8Array>): Promise<void> => {
  const pieces = body[Symbol.asyncIterator]();
  while (!(await pieces.next()).done);
};

/** Reads an entry of a text. */
export const readText = ({ body }: ArchiveEntry): Promise<string> => text(body);

const readManifest = async (entry: ArchiveEntry): Promise<Manifest> => {
  if (entry.header.name !== MANIFEST_NAME) throw new ArchiveError("it is no backup of Parley");
  const manifest: unknown = JSON.parse(await readText(entry));
  const { format } = manifest as { format?: unknown };
  if (typeof format === "number" && format > FORMAT)
    throw new ArchiveError(
      "it was written by a newer version of Parley: restore it with that version",
    );
  return Manifest.parse(manifest);
};

/** What zlib says of a file that it has not packed. */
const NO_GZIP = "incorrect header check";

const explain = (file: string, error: unknown): unknown => {
  const say = (reason: string): Error =>
    new Error(`${file} cannot be restored: ${reason}.`, { cause: error });
  if (error instanceof ArchiveError) return say(error.message);
  if (hasErrorCode(error, "ENOENT")) return say("there is no such file");
  const message = getErrorMessage(error);
  if (hasErrorCode(error, "Z_BUF_ERROR")) return say("it is cut");
  if (message === NO_GZIP) return say("it is no backup of Parley");
  if (hasErrorCode(error, "EACCES") || hasErrorCode(error, "EISDIR")) return say(message);
  return isOfContent(error) ? say(`its content was altered (${message})`) : error;
};

const isOfContent = (error: unknown): boolean =>
  error instanceof Error &&
  (hasErrorCode(error, "Z_DATA_ERROR") ||
    error instanceof SyntaxError ||
    error.name === "ZodError" ||
    /^(invalid|tar |too many)/i.test(error.message));
