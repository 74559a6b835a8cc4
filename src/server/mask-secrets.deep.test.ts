import { beforeAll, expect, it } from "vitest";
import { MAX_OUTPUT_LENGTH } from "@/contract/limits";
import { MAX_BLOCKING, measureBlocking } from "@/test/event-loop";
import { maskJson } from "@/server/tools/mask-json";

/** Beginnings of secrets that never become one, or could always go on. */
const UNITS = ["sk-", "sk-a", "aB3", "-----BEGIN ", "AKIA", "eyJ", "a.", "a:b@", "ghp_", "=", '"'];
const LENGTH = MAX_OUTPUT_LENGTH - 100;
const TEXTS = [
  ...UNITS.map((unit) => [`"${unit}" repeated`, unit.repeat(LENGTH / unit.length)] as const),
  ["a key of a million letters", `sk-${"a".repeat(LENGTH - 3)}`] as const,
];

// Expressions are compiled at their first uses.
beforeAll(() => void maskJson("a".repeat(LENGTH)));

it.each(
  TEXTS.flatMap(([what, text]) => [
    [what, text],
    [`${what}, in an object`, { lines: text.match(/[^]{1,1000}/g) ?? [] }],
  ]),
)("a result of 1 MB blocks the server no longer than other work: %s", async (_, value) => {
  const blocked = await measureBlocking(() => Promise.resolve(maskJson(value)));
  process.stdout.write(`blocked for ${blocked.toFixed(2)} of the reference\n`);
  expect(blocked).toBeLessThan(MAX_BLOCKING);
});
