import { randomBytes } from "node:crypto";
import sharp, { type Sharp } from "sharp";
import { expect, it } from "vitest";
import { MAX_SHOWN_IMAGE_BYTES } from "@/contract/limits";
import { createInterlacedPng } from "@/test/create-interlaced-png";
import { toModelImage } from "./model-image";

const draw = (width: number, height: number, background = "teal") =>
  sharp({ create: { width, height, channels: 4, background } });
const measure = async (bytes: Uint8Array) => sharp(bytes).metadata();

it.each([
  ["a small image as it is", 30, 20, 30, 20],
  ["a wide one shrunk", 4_000, 1_000, 2_000, 500],
  ["a tall one shrunk", 1_000, 8_000, 250, 2_000],
])("toModelImage gives %s, with the size that it had", async (_what, width, height, ...size) => {
  const image = await toModelImage(await draw(width, height).png().toBuffer());
  expect(image).toMatchObject({ mediaType: "image/png", width, height });
  const shown = await measure(image.bytes);
  expect([shown.width, shown.height]).toEqual(size);
});

it.each([1_200, 1_800])(
  "toModelImage encodes noise of %d pixels a side as JPEG, and no larger than it was",
  async (side) => {
    const raw = { width: side, height: side, channels: 4 } as const;
    const png = await sharp(randomBytes(side ** 2 * 4), { raw })
      .png()
      .toBuffer();
    const image = await toModelImage(png);
    expect(image).toMatchObject({ mediaType: "image/jpeg", width: side, height: side });
    expect(image.bytes.length).toBeLessThanOrEqual(MAX_SHOWN_IMAGE_BYTES);
    expect((await measure(image.bytes)).width).toBeLessThan(side);
  },
);

it("toModelImage turns a photo upright and removes its metadata", async () => {
  const photo = await draw(40, 20)
    .jpeg()
    .withExif({ IFD0: { Copyright: "somewhere" } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const image = await toModelImage(photo);
  expect(image).toMatchObject({ mediaType: "image/jpeg", width: 20, height: 40 });
  const shown = await measure(image.bytes);
  expect([shown.width, shown.height, shown.exif, shown.orientation]).toEqual([
    20,
    40,
    undefined,
    undefined,
  ]);
});

it("toModelImage takes the first picture of an animation", async () => {
  const gif = await sharp(
    [await draw(9, 9).png().toBuffer(), await draw(9, 9, "red").png().toBuffer()],
    {
      join: { animated: true },
    },
  )
    .gif()
    .toBuffer();
  expect(await toModelImage(gif)).toMatchObject({ mediaType: "image/png", width: 9, height: 9 });
});

it("toModelImage decodes one image at a time", async () => {
  const png = await draw(300, 300).png().toBuffer();
  let most = 0;
  const onChange = (): void => {
    const { queue, process: running } = sharp.counters();
    // Not their sum: one that begins can be counted as both.
    most = Math.max(most, queue, running);
  };
  sharp.queue.on("change", onChange);
  await Promise.all(Array.from({ length: 8 }, () => toModelImage(png)));
  sharp.queue.off("change", onChange);
  expect(most).toBe(1);
});

it("toModelImage refuses what takes too much memory as a whole, by its pixels and their bytes", async () => {
  await expect(toModelImage(createInterlacedPng(5_000, 16))).rejects.toThrow("too large");
  await expect(toModelImage(createInterlacedPng(6_500, 8))).rejects.toThrow("too large");
  expect(await toModelImage(createInterlacedPng(1_000, 16))).toMatchObject({ width: 1_000 });
  const lines = await draw(6_100, 6_100).png().toBuffer();
  expect(await toModelImage(lines)).toMatchObject({ width: 6_100 });
});

it.each<[what: string, refused: number, taken: number, encode: (image: Sharp) => Sharp]>([
  ["AVIF", 1_850, 1_780, (image) => image.avif({ effort: 0 })],
  ["GIF", 4_900, 4_700, (image) => image.gif({ effort: 1 })],
  ["WebP", 4_500, 4_400, (image) => image.webp({ effort: 0 })],
  ["progressive JPEG", 3_100, 3_000, (image) => image.jpeg({ progressive: true })],
])("toModelImage knows how much memory a large %s takes", async (_, refused, taken, encode) => {
  await expect(
    toModelImage(await encode(draw(refused, refused, "#1234")).toBuffer()),
  ).rejects.toThrow("too large");
  const image = await toModelImage(await encode(draw(taken, taken, "#1234")).toBuffer());
  expect(image).toMatchObject({ width: taken });
});
