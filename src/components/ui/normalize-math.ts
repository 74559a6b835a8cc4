/**
 * Code, in which nothing is a formula, or a formula in one of the notations that models use. Between single dollars, a
 * formula has no space at its ends and begins with no amount, and no word continues it: prices and variables of a shell
 * look the same otherwise. No formula has the beginning of another one in it, and code in a sentence is not longer than 2,000
 * characters: otherwise each of many beginnings would be a reason to read the rest of the text.
 */
const CODE_OR_MATH =
  /(^ {0,3}(?<fence>`{3,}|~{3,})[\s\S]*?(?:^ {0,3}\k<fence>|(?![\s\S]))|(?<!`)(?<ticks>`+)(?!`)[\s\S]{1,2000}?(?<!`)\k<ticks>(?!`))|^(?<indent>[ \t]*)\\\[(?<block>(?:(?!^[ \t]*\\\[)[\s\S])+?)\\\][ \t]*$|^(?<indent2>[ \t]*)\$\$(?<line>[^$\n]+)\$\$[ \t]*$|\\\[(?<inBrackets>(?:(?!\\\[)[^\n])+?)\\\]|\\\((?<inline>(?:(?!\\\()[^\n])+?)\\\)|(?<![\\$\w])\$(?!\d+(?:[.,]\d+)*\s)(?<dollars>[^\s$](?:[^$\n]*[^\s$\\])?)\$(?![$\w])/gm;

/** Writes all formulas between `$$`, on lines of their own where they are a block. */
export const normalizeMath = (text: string): string =>
  text.replace(CODE_OR_MATH, (...match) => {
    const groups = match.at(-1) as Record<string, string | undefined>;
    const { block, line } = groups;
    const tex = block ?? line;
    if (tex !== undefined) return toBlock(tex, groups.indent ?? groups.indent2 ?? "");
    const inner = groups.inline ?? groups.inBrackets ?? groups.dollars;
    return inner === undefined ? String(match[0]) : `$$${inner}$$`;
  });

const toBlock = (tex: string, indent: string): string =>
  ["$$", ...tex.trim().split("\n"), "$$"].map((row) => indent + row.trim()).join("\n");
