import { LRUCache } from "lru-cache";
import { codeToTokensWithThemes, createShikiPrimitiveAsync } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { bundledLanguages } from "shiki/langs";
import githubDark from "shiki/themes/github-dark-default.mjs";
import githubLight from "shiki/themes/github-light-high-contrast.mjs";

const THEMES = { light: "github-light-high-contrast", dark: "github-dark-default" };

export type Token = { text: string; light?: string | undefined; dark?: string | undefined };
export type CodeLines = readonly (readonly Token[])[];
type CodeOptions = { code: string; language: string };

/** Blocks whose colors are kept for when they return to the page. */
const MAX_CACHED_BLOCKS = 200;
const linesByCode = new LRUCache<string, CodeLines>({ max: MAX_CACHED_BLOCKS });

const toKey = ({ code, language }: CodeOptions): string => `${language}\n${code}`;

/** Only what colors tokens: the complete highlighter also has a writer of HTML. */
const primitive = createShikiPrimitiveAsync({
  themes: [githubLight, githubDark],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

export const findHighlightedLines = (options: CodeOptions): CodeLines | undefined =>
  linesByCode.get(toKey(options));

/**
 * Returns the lines of a block with their colors in both themes.
 *
 * @returns undefined for an unknown language.
 */
export const highlightCode = async (options: CodeOptions): Promise<CodeLines | undefined> => {
  const language = options.language.toLowerCase();
  if (!isKnownLanguage(language)) return undefined;
  const shiki = await primitive;
  await shiki.loadLanguage(bundledLanguages[language]);
  const lines = codeToTokensWithThemes(shiki, options.code, { lang: language, themes: THEMES }).map(
    (line) =>
      line.map(({ content, variants: { light, dark } }) => ({
        text: content,
        light: light?.color,
        dark: dark?.color,
      })),
  );
  linesByCode.set(toKey(options), lines);
  return lines;
};

const isKnownLanguage = (language: string): language is keyof typeof bundledLanguages =>
  Object.hasOwn(bundledLanguages, language);
