import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createInterlacedPng } from "@/test/create-interlaced-png";
import {
  createArticle,
  createLongPdf,
  createReport,
  HOSTILE_PAGES,
  HOSTILE_PDFS,
} from "@/test/hostile-documents";
import { startProgram } from "@/test/start-program";

const MAX_GROWTH_BYTES = 250_000_000;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "parley-decoder-"));
});
afterAll(() => rm(directory, { recursive: true }));

type Measured = { growth: number; outcomes: string[] };

/** Decodes a file eight times at once, in a process of its own. */
const measure = async (
  what: string,
  kind: string,
  bytes: string | Uint8Array,
  packing = "",
): Promise<Measured> => {
  const path = join(directory, "file");
  await writeFile(path, bytes);
  const program = await startProgram("decoder-memory", [kind, path, packing]);
  try {
    await program.waitForLines(1);
  } finally {
    await program.kill();
  }
  const measured = JSON.parse(program.lines.at(-1) ?? "") as Measured;
  const [first = "", ...others] = [...new Set(measured.outcomes)];
  process.stdout.write(
    `${kind}, ${what}, ${bytes.length} bytes: ${Math.round(measured.growth / 1e6)} MB; ${first}${others.length > 0 ? `; ${others.join("; ")}` : ""}\n`,
  );
  expect.soft(measured.growth, what).toBeLessThan(MAX_GROWTH_BYTES);
  return measured;
};

describe("eight at once take no more than 250 MB:", () => {
  it.each<[what: string, kind: string, create: () => string | Uint8Array]>([
    ["an article of 500 KB", "html", () => createArticle(500_000)],
    ["a report of 16 MB with an image", "pdf", createReport],
    ["a book of 500 pages", "pdf", createLongPdf],
  ])("%s, which are all read", async (what, kind, create) => {
    const { outcomes } = await measure(what, kind, create());
    expect(outcomes[0]).toMatch(/^\d{6,} letters$/);
    expect(outcomes.filter((outcome) => outcome !== outcomes[0])).toEqual(
      outcomes.filter((outcome) => outcome.startsWith("this server is reading other documents")),
    );
  });

  it.each(Object.entries(HOSTILE_PAGES))("pages of %s", async (what, create) => {
    await measure(what, "html", create());
  });

  it.each(Object.entries(HOSTILE_PDFS))("PDFs with %s", async (what, create) => {
    await measure(what, "pdf", create());
  });

  const draw = (side: number): Sharp =>
    sharp({ create: { width: side, height: side, channels: 4, background: "#1234" } });
  const opaque = (side: number): Sharp => draw(side).flatten();
  const animate = async (side: number, count: number): Promise<Buffer> => {
    const frames = Array.from({ length: count }, (_, index) =>
      sharp({
        create: { width: side, height: side, channels: 3, background: { r: index, g: 0, b: 9 } },
      })
        .png()
        .toBuffer(),
    );
    return sharp(await Promise.all(frames), { join: { animated: true } })
      .gif()
      .toBuffer();
  };

  it.each<[what: string, create: () => Promise<Buffer>]>([
    ["a JPEG of 49 million pixels", () => opaque(7_000).jpeg().toBuffer()],
    ["a progressive JPEG of 9 million", () => opaque(3_000).jpeg({ progressive: true }).toBuffer()],
    [
      "a progressive JPEG of 49 million",
      () => opaque(7_000).jpeg({ progressive: true }).toBuffer(),
    ],
    ["a GIF of 22 million", () => opaque(4_700).gif({ effort: 1 }).toBuffer()],
    ["a GIF of 37 million with transparency", () => draw(6_100).gif({ effort: 1 }).toBuffer()],
    ["a GIF of 100 frames", () => animate(1_000, 100)],
    ["a WebP of 19 million with transparency", () => draw(4_400).webp({ effort: 0 }).toBuffer()],
    ["a WebP of 26 million", () => opaque(5_100).webp({ effort: 0 }).toBuffer()],
    [
      "a lossless WebP of 19 million",
      () => draw(4_400).webp({ lossless: true, effort: 0 }).toBuffer(),
    ],
    ["an AVIF of 3.2 million with transparency", () => draw(1_780).avif({ effort: 0 }).toBuffer()],
    ["an AVIF of 4.2 million", () => opaque(2_060).avif({ effort: 0 }).toBuffer()],
    ["an AVIF of 49 million", () => opaque(7_000).avif({ effort: 0 }).toBuffer()],
    [
      "an AVIF of 2.1 million with 12 bits",
      () => opaque(1_450).toColourspace("rgb16").avif({ effort: 0, bitdepth: 12 }).toBuffer(),
    ],
    ["an interlaced PNG of 27 million", () => Promise.resolve(createInterlacedPng(5_150, 8))],
    [
      "an interlaced PNG of 13 million with 16 bits",
      () => Promise.resolve(createInterlacedPng(3_650, 16)),
    ],
    [
      "an interlaced PNG of 49 million with 16 bits",
      () => Promise.resolve(createInterlacedPng(7_000, 16)),
    ],
    ["a PNG of 38 million by lines", () => draw(6_150).png().toBuffer()],
    ["a PNG of 49 million by lines", () => draw(7_000).png().toBuffer()],
  ])("%s", async (what, create) => {
    await measure(what, "image", await create());
  });

  it.each<[what: string, create: () => string]>([
    ["elements", () => `<tool name="a">${"<b>x</b>".repeat(125_000)}</tool>`],
    ["elements that are nested", () => `<tool name="a">${"<b>".repeat(300_000)}`],
    [
      "attributes",
      () => `<tool ${Array.from({ length: 100_000 }, (_, at) => `a${at}="1"`).join(" ")}>`,
    ],
    [
      "entities that multiply",
      () =>
        `<!DOCTYPE t [<!ENTITY a "${"x".repeat(1_000)}">${Array.from({ length: 9 }, (_, at) => `<!ENTITY a${at} "${`&a${at === 0 ? "" : at - 1};`.repeat(10)}">`).join("")}]><tool name="a"><b>&a8;</b></tool>`,
    ],
  ])("blocks of XML with %s", async (what, create) => {
    await measure(what, "xml", create());
  });

  it.each<[packing: string, pack: (bytes: Buffer) => Buffer]>([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ])("bodies that unpack to 500 MB, packed as %s", async (packing, pack) => {
    await measure(packing, "body", pack(Buffer.alloc(500_000_000)), packing);
  });
});
