import { describe, expect, it } from "vitest";
import { EFFORT_NAMES } from "@/contract/efforts";
import { KNOWN_MODELS } from "./known-models";
import { lookUpModel } from "./model-catalog";

const rows = Object.entries(KNOWN_MODELS).flatMap(([provider, models]) =>
  models.map((model) => [`${provider}/${model.id}`, model] as const),
);

describe("the table of known models", () => {
  it("has each model once", () => {
    const names = rows.map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(rows)(
    "says where the facts of %s are, and when they were checked",
    (name, { source, date }) => {
      if (name.startsWith("demo/")) expect(source).toMatch(/^src\//);
      else expect(new URL(source).protocol).toBe("https:");
      expect(new Date(date).toISOString()).toBe(`${date}T00:00:00.000Z`);
      expect(Date.parse(date)).toBeLessThanOrEqual(Date.now());
    },
  );

  it.each(rows)("has possible numbers of %s", (_, { context = 1, output = 1, dollars }) => {
    expect(output).toBeLessThanOrEqual(Math.max(context, output));
    expect(Number.isInteger(context) && context > 0).toBe(true);
    if (!dollars) return;
    const { input, output: written, read = input, write = input } = dollars;
    expect(written).toBeGreaterThanOrEqual(input);
    expect(read).toBeLessThanOrEqual(input);
    expect(write).toBeGreaterThanOrEqual(input);
  });

  it.each(rows)("has efforts of %s exactly if it reasons", (name, { abilities, efforts }) => {
    if (name.startsWith("demo/")) return;
    expect(efforts !== undefined).toBe(abilities?.includes("reasoning"));
    expect(efforts ?? []).toEqual(EFFORT_NAMES.filter((each) => efforts?.includes(each)));
  });

  it("gives an entry its prices in millionths of a dollar, and says what it was made of", () => {
    const { known, ...entry } = lookUpModel("anthropic", "claude-haiku-4-5-20251001");
    expect(entry).toEqual({
      name: "Claude Haiku 4.5",
      contextLimit: 200_000,
      toolProtocol: "native",
      prices: { input: 1_000_000, output: 5_000_000, cache_read: 100_000, cache_write: 1_250_000 },
    });
    expect(known?.source).toMatch(/^https:\/\/platform\.claude\.com\//);
    expect(lookUpModel("demo", "xml")).toMatchObject({ toolProtocol: "xml" });
    expect(lookUpModel("openai", "claude-haiku-4-5")).not.toHaveProperty("known");
  });
});
