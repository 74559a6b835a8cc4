/** Bytes that are read piece by piece, so that a long file need not be in memory as a whole. */
export type ByteSource = {
  length: number;
  /** Fills the target with the bytes from `start` on; at once, so that a transaction may read. */
  read: (target: Uint8Array, start: number) => void;
};

export const toByteSource = (bytes: Uint8Array): ByteSource => ({
  length: bytes.length,
  read: (target, start) => {
    target.set(bytes.subarray(start, start + target.length));
  },
});

/** Makes one of two that follow each other. */
export const joinSources = (first: ByteSource, second: ByteSource): ByteSource => ({
  length: first.length + second.length,
  read: (target, start) => {
    const split = Math.min(Math.max(first.length - start, 0), target.length);
    if (split > 0) first.read(target.subarray(0, split), start);
    if (split < target.length) second.read(target.subarray(split), start + split - first.length);
  },
});
