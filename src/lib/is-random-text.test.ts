import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isRandomText } from "./is-random-text";

/** Bytes without a pattern, the same in each run. */
const makeBytes = (seed: number): Buffer => createHash("sha256").update(`seed ${seed}`).digest();

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const toLetters = (bytes: Buffer, alphabet: string): string =>
  [...bytes].map((byte) => alphabet[byte % alphabet.length] ?? "").join("");

const toUuid = (bytes: Buffer): string =>
  bytes.toString("hex", 0, 16).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");

describe("isRandomText", () => {
  it.each<[string, (bytes: Buffer) => string, number]>([
    ["openssl rand -base64 32", (bytes) => bytes.toString("base64"), 0.99],
    ["openssl rand -hex 32", (bytes) => bytes.toString("hex"), 0.999],
    ["openssl rand -hex 16", (bytes) => bytes.toString("hex", 0, 16), 0.999],
    ["a UUID", toUuid, 0.999],
    ["a key of a provider", (bytes) => `sk-ant-${bytes.toString("base64url")}`, 0.98],
    ["32 letters and digits", (bytes) => toLetters(bytes, LETTERS), 0.98],
    ["32 small letters and digits", (bytes) => toLetters(bytes, LETTERS.slice(26)), 0.98],
    ["24 letters and digits", (bytes) => toLetters(bytes.subarray(8), LETTERS), 0.95],
  ])("knows %s", (_, toText, share) => {
    const texts = Array.from({ length: 2_000 }, (_each, seed) => toText(makeBytes(seed)));
    expect(texts.filter(isRandomText).length).toBeGreaterThanOrEqual(share * texts.length);
  });

  it.each([
    "",
    "ollama",
    "owner-password-of-a-person",
    "Summer2026Holiday!!",
    "correct horse battery staple",
    "Correct-Horse-7-Battery-Staple",
    "CorrectHorse7BatteryStaple",
    "MyP4ssw0rdIsVeryL0ng",
    "Tr0ub4dor&3Tr0ub4dor&3",
    "what nobody may read of this server, a long sentence of 12 words",
    "the-quick-brown-fox-jumps-over-the-lazy-dog-1-2-3-4-5-6-7",
    "ILoveMyD0gRex&MyC4tTom2019!",
    "M1ch43l&Ann4-w3r3-h3r3-1n-2019",
    "Ich+du+MuellersKuh:2026!Muenchen",
    "qwertyuiop1234567890asdfghjkl",
    "1q2w3e4r5t6y7u8i9o0p1q2w3e4r5t6y",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
    "aB3$xK9!aB3$xK9!aB3$xK9!aB3$xK9!",
    "xk7qxk7qxk7qxk7qxk7qxk7qxk7qxk7q",
    "deadbeefdeadbeefdeadbeefdeadbeef",
    "0123456789abcdef0123456789abcdef",
    "12345678901234567890123456789012",
    "1990-01-31-1992-02-28-2019-12-24",
    "sk-ant-the-key-of-a-model-for-tests",
  ])("takes what a person may choose for none: %s", (text) => {
    expect(isRandomText(text)).toBe(false);
  });
});
