import { estimateCost } from "./markdown-cost";

/** A block of a text, and what it costs to parse: Infinity if it is shown as it is written. */
export type CostedBlock = { text: string; cost: number };

/** Most that is parsed, in microseconds of estimated time. */
export type ParseLimits = { block: number; text: number };

/** Of a page: some 100 KB of ordinary Markdown. */
export const PAGE_LIMITS: ParseLimits = { block: 500_000, text: 500_000 };
/** Of the server, which does nothing else while it parses a block. The page parses the others. */
export const SERVER_LIMITS: ParseLimits = { block: 25_000, text: 200_000 };

/** Chooses which blocks are parsed: those that cost too much, and those after the budget of the text, are not. */
export const chooseBlocks = (blocks: readonly string[], limits: ParseLimits): CostedBlock[] => {
  const chosen: CostedBlock[] = [];
  let rest = limits.text;
  for (const text of blocks) {
    const estimated = estimateCost(text);
    const cost = estimated > Math.min(rest, limits.block) ? Infinity : estimated;
    const last = chosen.at(-1);
    // Elements for each of many blocks would take long, too.
    if (cost === Infinity && last?.cost === Infinity) last.text += text;
    else chosen.push({ text, cost });
    if (cost < Infinity) rest -= cost;
  }
  return chosen;
};
