import { crc32, deflateSync } from "node:zlib";

const toChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
};

/** Where the seven passes of an interlaced image begin, and their steps. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

const COLOR_WITH_ALPHA = 6;
const CHANNELS = 4;

/** Creates a square PNG of one color, small as a file, that can only be decoded as a whole. */
export const createInterlacedPng = (side: number, bits: 8 | 16): Buffer => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head[8] = bits;
  head[9] = COLOR_WITH_ALPHA;
  head[12] = 1;
  const sizes = PASSES.map(([x, y, stepX, stepY]) => {
    const columns = Math.ceil((side - x) / stepX);
    return Math.ceil((side - y) / stepY) * (1 + (columns * CHANNELS * bits) / 8);
  });
  const rows = Buffer.alloc(sizes.reduce((sum, size) => sum + size, 0));
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    toChunk("IHDR", head),
    toChunk("IDAT", deflateSync(rows, { level: 9 })),
    toChunk("IEND", Buffer.alloc(0)),
  ]);
};
