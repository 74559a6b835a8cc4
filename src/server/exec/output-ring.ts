/** Output of one command that is kept, in bytes. */
export const RING_BYTES = 1024 * 1024;

export type NewOutput = {
  bytes: Buffer;
  /** Bytes before them that came after the last read and are no longer kept. */
  dropped: number;
};

/** Keeps the newest output of a command, and how much of it was read. */
export const createOutputRing = (capacity = RING_BYTES) => {
  // Memory that is not written yet takes no room: it is allocated with zeros by the system.
  const buffer = Buffer.alloc(capacity);
  let total = 0;
  let readUntil = 0;

  const slice = (from: number, until: number): Buffer => {
    const length = until - from;
    const at = from % capacity;
    if (at + length <= capacity) return Buffer.from(buffer.subarray(at, at + length));
    return Buffer.concat([buffer.subarray(at), buffer.subarray(0, at + length - capacity)]);
  };
  const firstKept = (): number => Math.max(0, total - capacity);

  return {
    write: (chunk: Buffer): void => {
      const kept = chunk.length > capacity ? chunk.subarray(chunk.length - capacity) : chunk;
      total += chunk.length;
      const at = (total - kept.length) % capacity;
      const copied = kept.copy(buffer, at);
      kept.copy(buffer, 0, copied);
    },
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
      const copied = buffer.copy(target, 0, from % capacity, (from % capacity) + length);
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
