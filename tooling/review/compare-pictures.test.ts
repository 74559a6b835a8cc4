import sharp from "sharp";
import { expect, test } from "vitest";
import { comparePictures } from "./compare-pictures";

const WIDTH = 8;
const HEIGHT = 6;

/** Creates a white picture with some pixels of another color. */
const createPicture = (
  pixels: readonly [x: number, y: number, grey: number][] = [],
  height = HEIGHT,
): Promise<Buffer> => {
  const data = Buffer.alloc(WIDTH * height * 3, 255);
  for (const [x, y, grey] of pixels) {
    const at = (y * WIDTH + x) * 3;
    data.fill(grey, at, at + 3);
  }
  return sharp(data, { raw: { width: WIDTH, height, channels: 3 } })
    .png()
    .toBuffer();
};

const countRed = async (png: Buffer): Promise<number> => {
  const data = await sharp(png).ensureAlpha().raw().toBuffer();
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at] === 255 && data[at + 1] === 0 && data[at + 2] === 0) count++;
  }
  return count;
};

test("equal pictures have no difference, also when their files differ", async () => {
  const picture = await createPicture([[1, 1, 0]]);
  const compressed = await sharp(picture).png({ compressionLevel: 0 }).toBuffer();
  expect(compressed.equals(picture)).toBe(false);
  expect(await comparePictures(picture, picture)).toEqual({ differingPixels: 0 });
  expect(await comparePictures(picture, compressed)).toEqual({ differingPixels: 0 });
});

test.each([
  ["another color", 0],
  ["a color that is one step darker", 254],
])("each pixel that differs counts, and is red in the difference: %s", async (_, grey) => {
  const after = await createPicture([
    [2, 3, grey],
    [7, 5, grey],
  ]);
  const { differingPixels, difference } = await comparePictures(await createPicture(), after);
  expect(differingPixels).toBe(2);
  expect(difference && (await countRed(difference))).toBe(2);
});

test("what only the larger picture has differs", async () => {
  const [small, large] = await Promise.all([createPicture(), createPicture([], HEIGHT + 2)]);
  for (const [before, after] of [
    [small, large],
    [large, small],
  ] as const) {
    const { differingPixels, difference } = await comparePictures(before, after);
    expect(differingPixels).toBe(2 * WIDTH);
    const size = await sharp(difference).metadata();
    expect([size.width, size.height]).toEqual([WIDTH, HEIGHT + 2]);
  }
});
