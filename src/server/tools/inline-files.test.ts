import { describe, expect, it } from "vitest";
import { extractInlineFiles } from "./inline-files";
import type { NewArtifact } from "./tool-context";
import { toolResult } from "./tool-result";

/** Enough varied bytes that the text is taken for base64. */
const content = Buffer.from(Array.from({ length: 6_000 }, (_, index) => (index * 7919) % 251));
const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

const saveFrom = async (text: string) => {
  const saved: NewArtifact[] = [];
  await extractInlineFiles(toolResult(text), (file) => {
    saved.push(file);
    return Promise.resolve(undefined);
  });
  return saved;
};

describe("extractInlineFiles", () => {
  it.each([
    [
      "file-1.png",
      "image/png",
      hex(
        "89504e470d0a1a0a 0000000d 49484452 00000001 00000001 0806000000 1f15c489 00001770 49444154",
      ),
    ],
    ["file-1.jpg", "image/jpeg", hex("ffd8ffe0 0010 4a464946 00")],
    ["file-1.gif", "image/gif", Buffer.from("GIF89a")],
    ["file-1.webp", "image/webp", Buffer.from("RIFF\x70\x17\x00\x00WEBPVP8 ")],
    ["file-1.wav", "audio/wav", Buffer.from("RIFF\x70\x17\x00\x00WAVEfmt ")],
    ["file-1.pdf", "application/pdf", Buffer.from("%PDF-1.7\n")],
    [
      "file-1.zip",
      "application/zip",
      Buffer.concat([
        hex("504b0304 1400 0000 0000 00000000 00000000 70170000 70170000 0100 0000"),
        Buffer.from("a"),
      ]),
    ],
    ["file-1.bin", "application/octet-stream", Buffer.alloc(0)],
  ])("recognizes %s by its first bytes", async (name, mediaType, start) => {
    const bytes = Buffer.concat([start, content]);
    const saved = await saveFrom(bytes.toString("base64"));
    expect(saved).toMatchObject([{ name, mediaType }]);
    expect(Buffer.from(saved[0]?.bytes ?? [])).toEqual(bytes);
  });

  it.each([
    ["a data URL", (base64: string) => `data:image/png;base64,${base64}`],
    ["a markdown image", (base64: string) => `![](data:image/png;base64,${base64})`],
  ])("takes only the file out of %s that is nearly the whole text", async (_what, toText) => {
    const saved = await saveFrom(toText(content.toString("base64")));
    expect(saved).toMatchObject([{ name: "file-1.png", mediaType: "image/png" }]);
    expect(Buffer.from(saved[0]?.bytes ?? [])).toEqual(content);
  });

  it("trusts the media type of a data URL", async () => {
    const pdf = Buffer.from("%PDF-1.7\n").toString("base64");
    expect(await saveFrom(`see data:IMAGE/SVG+XML;base64,${pdf}`)).toMatchObject([
      { name: "file-1.svg", mediaType: "image/svg+xml" },
    ]);
    expect(await saveFrom(`see data:text/x-log;base64,${pdf}`)).toMatchObject([
      { name: "file-1.bin", mediaType: "text/x-log" },
    ]);
  });
});
