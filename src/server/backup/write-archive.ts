import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { createTarPacker, type TarHeader } from "modern-tar";
import { createPacedFile } from "@/server/db/connection/paced-writes";
import { digestHeader } from "./digest-header";

/** Half of what the best level saves, in a fifth of its time. */
const GZIP_LEVEL = 1;

type Body = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

export type ArchiveWriter = {
  /** Writes an entry; the size of its header must be that of the body. */
  add: (header: TarHeader, body?: Body) => Promise<void>;
  addText: (name: string, text: string) => Promise<void>;
  /** @returns the checksum of all entries so far. */
  digest: () => string;
  /** Ends the archive; all is on the disk then. */
  end: () => Promise<void>;
};

/** Creates a packed archive, which only this account may read. Rejects when the file exists, or cannot be written. */
export const createArchive = (file: string): ArchiveWriter => {
  const { readable, controller } = createTarPacker();
  const hash = createHash("sha256");
  const written = pipeline(
    Readable.fromWeb(readable as Parameters<typeof Readable.fromWeb>[0]),
    createGzip({ level: GZIP_LEVEL }),
    createPacedFile(file, { flushesAtEnd: true }),
  );
  // Each write waits for a failure, too: nothing takes what is written after one.
  const failed = written.then(() => new Promise<never>(() => undefined));
  failed.catch(() => undefined);
  const untilFailure = <Result>(step: Promise<Result>): Promise<Result> =>
    Promise.race([step, failed]);

  const add = async (header: TarHeader, body: Body = []): Promise<void> => {
    hash.update(digestHeader(header));
    const writer = controller.add(header).getWriter();
    for await (const piece of body) {
      hash.update(piece);
      await untilFailure(writer.ready);
      await untilFailure(writer.write(piece));
    }
    await untilFailure(writer.close());
  };
  return {
    add,
    addText: async (name, text) => {
      const bytes = Buffer.from(text);
      await add({ name, size: bytes.length, mode: 0o600 }, [bytes]);
    },
    digest: () => hash.copy().digest("hex"),
    end: async () => {
      controller.finalize();
      await written;
    },
  };
};
