import { describe, expect, it } from "vitest";
import { cutAndMask, maskBytes, maskStart } from "./mask-secrets";

const MAX = 1_000;
const marker = (bytes: number): string => `[${bytes} left out]`;
const key = "sk-proj-abcdefghij0123456789";
const privateKey = `-----BEGIN PRIVATE KEY-----\n${`${"MIIa0+/A".repeat(8)}\n`.repeat(200)}-----END PRIVATE KEY-----`;

/** Texts that have a secret at each place around where they are cut. */
const listTexts = (secret: string): string[] => {
  const around = [MAX, MAX + 20_000, 2 * (MAX + 20_000)];
  const places = around.flatMap((place) =>
    [1, 5, 12, secret.length - 1].map((offset) => Math.max(0, place - offset)),
  );
  const filler = (length: number) => ".".repeat(length);
  return places.flatMap((place) => {
    const text = `${filler(place)}${secret}${filler(100_000)}`;
    return [text, `${filler(100_000)}${secret}${filler(place)}`, filler(place) + secret];
  });
};

describe.each([
  ["a key", key, "abcdefgh"],
  ["a private key", privateKey, "MIIa0"],
])("%s where a text is cut", (_, secret, part) => {
  it("is shown neither whole nor in part", () => {
    for (const text of listTexts(secret)) {
      expect(maskStart(text, MAX).slice(0, MAX)).not.toContain(part);
      expect(cutAndMask(text, { maxBytes: MAX, marker })).not.toContain(part);
    }
  });

  it("leaves no other part of it behind when others before it are masked, which makes the text shorter", () => {
    const text = `${`${key} `.repeat(700)}${"x".repeat(700)} ${secret} ${"word ".repeat(20_000)}`;
    expect(maskStart(text, MAX)).not.toContain(part);
    expect(cutAndMask(text, { maxBytes: MAX, marker })).not.toContain(part);
  });
});

it("cutAndMask keeps the ends of a text, and says how much is left out", () => {
  const text = `head ${"é".repeat(500_000)} tail`;
  const cut = cutAndMask(text, { maxBytes: MAX, marker });
  const left = Number(/\[(\d+) left out\]/.exec(cut)?.[1]);
  expect(cut).toMatch(/^head é+\[\d+ left out\]é+ tail$/);
  expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(MAX);
  expect(left + Buffer.byteLength(cut) - marker(left).length).toBe(Buffer.byteLength(text));
});

it("cutAndMask says that the middle is left out also when masks make both ends shorter than what may be kept", () => {
  const text = `${key} `.repeat(10_000);
  const cut = cutAndMask(text, { maxBytes: 100_000, marker });
  expect(cut).toContain("left out]");
  expect(cut).not.toContain("abcdefgh");
});

it("masks only what is kept of a text of any length", () => {
  let masked = 0;
  const mask = (text: string): string => {
    masked += text.length;
    return text;
  };
  expect(maskStart("a".repeat(5_000_000), MAX, mask)).toHaveLength(MAX);
  expect(masked).toBeLessThan(25_000);
});

it("maskBytes masks a secret wherever it is in a line that is longer than what is masked at once", async () => {
  const line = (length: number): string => "word ".repeat(length / 5);
  for (const length of [524_260, 524_280, 524_285]) {
    const masked = await maskBytes(Buffer.from(`${line(length)}${key} ${line(100_000)}`));
    expect(masked.toString()).toBe(`${line(length)}[redacted] ${line(100_000)}`);
  }
});
