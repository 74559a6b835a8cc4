/** Output of one command that is kept, in bytes. */
export const RING_BYTES = 1024 * 1024;

export type NewOutput = {
  bytes: Buffer;
  /** Bytes before them that came after the last read and are no longer kept. */
  dropped: number;
};

/** Keeps the newest output of a command, and how much of it was read. */
export const createOutputRing = (maxBytes = RING_BYTES) => {
  // Memory that is not written yet takes no room: it is allocated with zeros by the system.
  let buffer: Buffer = Buffer.alloc(maxBytes);
  /** Where the ring begins: how many bytes were written before. */
  let base = 0;
  let total = 0;
  let readUntil = 0;

  const toIndex = (position: number): number => (position - base) % buffer.length;
  const slice = (from: number, until: number): Buffer => {
    const length = until - from;
    if (length === 0) return Buffer.alloc(0);
    const at = toIndex(from);
    const capacity = buffer.length;
    if (at + length <= capacity) return Buffer.from(buffer.subarray(at, at + length));
    return Buffer.concat([buffer.subarray(at), buffer.subarray(0, at + length - capacity)]);
  };
  const firstKept = (): number => Math.max(base, total - buffer.length);
  const keepFrom = (from: number): void => {
    buffer = slice(from, total);
    base = from;
  };

  return {
    write: (chunk: Buffer): void => {
      const kept = chunk.subarray(Math.max(0, chunk.length - buffer.length));
      total += chunk.length;
      const at = toIndex(total - kept.length);
      const copied = kept.copy(buffer, at);
      kept.copy(buffer, 0, copied);
    },
    /** Frees all but what was not read yet: nothing more is written. */
    finish: (): void => keepFrom(Math.max(readUntil, firstKept())),
    /** Frees what was not read, too: the next read says how much that was. */
    drop: (): void => keepFrom(total),
    /** Memory that it takes. */
    heldBytes: (): number => buffer.length,
    /** Bytes ever written. */
    total: (): number => total,
    hasUnread: (): boolean => total > readUntil,
    /** All that is kept. */
    readKept: (): Buffer => slice(firstKept(), total),
    /** All that is kept of what came after the first `from` bytes. */
    readFrom: (from: number): Buffer => slice(Math.max(from, firstKept()), total),
    /** Copies the bytes from `from` on, which must still be kept, until the target is full or none are left. */
    copyTo: (target: Buffer, from: number): Buffer => {
      const length = Math.min(target.length, total - from);
      const at = toIndex(from);
      const copied = buffer.copy(target, 0, at, at + length);
      buffer.copy(target, copied, 0, length - copied);
      return target.subarray(0, length);
    },
    /** Counts the first `until` bytes as read. */
    skip: (until: number): void => void (readUntil = Math.max(readUntil, until)),
    /** All that is kept of what was not read yet, which stays so. */
    peekNew: (): NewOutput => {
      const from = Math.max(readUntil, firstKept());
      return { bytes: slice(from, total), dropped: from - readUntil };
    },
    /** @param isComplete no more bytes follow, so that a character at the end is whole or broken for good. */
    readNew: ({ isComplete }: { isComplete: boolean }): NewOutput => {
      const from = Math.max(readUntil, firstKept());
      const dropped = from - readUntil;
      const bytes = slice(from, total);
      const length = isComplete ? bytes.length : wholeLength(bytes);
      readUntil = from + length;
      if (isComplete) keepFrom(readUntil);
      return { bytes: bytes.subarray(0, length), dropped };
    },
  };
};
export type OutputRing = ReturnType<typeof createOutputRing>;

/** @returns the length without a UTF-8 character at the end whose other bytes have not come yet. */
export const wholeLength = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return size > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
};
