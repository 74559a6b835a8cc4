import { cjk } from "@streamdown/cjk";
import { math } from "@streamdown/math";
import { describe, expect, it } from "vitest";
import { measureCpuMs, measureMedian, measureReferenceMs } from "@/test/cpu-time";
import { HOSTILE_MARKDOWN } from "@/test/hostile-markdown";
import {
  chooseBlocks,
  type CostedBlock,
  PAGE_LIMITS,
  type ParseLimits,
  SERVER_LIMITS,
} from "./choose-blocks";
import type { TreeNode } from "./markdown-hints";
import { attachPlugin, createMarkdownParser } from "./markdown-parser";
import { normalizeMath } from "./normalize-math";
import { toSafeTree } from "./safe-tree";
import { splitBlocks } from "./split-blocks";

const parse = createMarkdownParser({
  before: cjk.remarkPluginsBefore,
  after: [...cjk.remarkPluginsAfter, math.remarkPlugin],
});
const drawFormulas = attachPlugin<TreeNode>(math.rehypePlugin);

const choose = (text: string, limits: ParseLimits): CostedBlock[] =>
  chooseBlocks(splitBlocks(normalizeMath(text)), limits);

const draw = (text: string): void => {
  for (const block of splitBlocks(normalizeMath(text))) drawFormulas(toSafeTree(parse(block)));
};

const LARGEST = 200_000;

/** @returns the longest text of a kind that is parsed at all. */
const findLargest = (create: (length: number) => string, limits: ParseLimits): string => {
  let [least, most] = [0, LARGEST];
  while (most - least > 100) {
    const length = Math.floor((least + most) / 2);
    if (choose(create(length), limits).some(({ cost }) => cost === Infinity)) most = length;
    else least = length;
  }
  return create(least);
};

/** Milliseconds of the machine on which costs were measured. */
const REFERENCE_MS = 10;
/** A cost is an estimate; the worst text takes about as long. */
const MAX_RATIO = 2;

describe("the time of the largest text that is parsed", () => {
  it.each(Object.keys(HOSTILE_MARKDOWN))("is about what was estimated: %s", async (name) => {
    const create = HOSTILE_MARKDOWN[name] ?? String;
    for (const limits of [SERVER_LIMITS, PAGE_LIMITS]) {
      const text = findLargest(create, limits);
      const measure = (rounds: number): Promise<number> =>
        measureMedian(
          `${name}, ${text.length} characters`,
          async () => {
            const factor = (await measureReferenceMs()) / REFERENCE_MS;
            const cost = choose(text, limits).reduce((sum, block) => sum + block.cost, 0);
            return (await measureCpuMs(() => draw(text))) / factor / (cost / 1_000);
          },
          rounds,
        );
      const ratio = await measure(1);
      // Anything else on the machine can disturb a single measurement.
      expect(ratio < MAX_RATIO ? ratio : await measure(5)).toBeLessThan(MAX_RATIO);
    }
  });
});
