import { codeToTokensWithThemes, createShikiPrimitiveAsync } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import { bundledLanguages } from "shiki/langs";
import githubDark from "shiki/themes/github-dark-default.mjs";
import githubLight from "shiki/themes/github-light-high-contrast.mjs";
import type { CodeLines, CodeOptions, Token } from "./code-lines";

const THEMES = { light: "github-light-high-contrast", dark: "github-dark-default" };

/** Longest line that is colored, in characters: those of generated files have too many tokens for a page. */
const MAX_LINE_LENGTH = 2_000;

/** Only what colors tokens: the complete highlighter also has a writer of HTML. */
const primitive = createShikiPrimitiveAsync({
  themes: [githubLight, githubDark],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

/**
 * Returns the lines of a block with their colors in both themes. Takes long: see `highlight-worker.ts`.
 *
 * @returns undefined for an unknown language.
 */
export const highlightCode = async (options: CodeOptions): Promise<CodeLines | undefined> => {
  const language = options.language.toLowerCase();
  if (!isKnownLanguage(language)) return undefined;
  const shiki = await primitive;
  await shiki.loadLanguage(bundledLanguages[language]);
  const lines = codeToTokensWithThemes(shiki, options.code, {
    lang: language,
    themes: THEMES,
    tokenizeMaxLineLength: MAX_LINE_LENGTH,
  });
  return lines.map((line) =>
    line
      .map(({ content, variants: { light, dark } }) => ({
        text: content,
        light: light?.color,
        dark: dark?.color,
      }))
      .reduce<Token[]>(addToken, []),
  );
};

/** Joins tokens of one color, and spaces with what precedes them: a page then has about half as many elements. */
const addToken = (tokens: Token[], token: Token): Token[] => {
  const last = tokens.at(-1);
  const isSame = last?.light === token.light && last?.dark === token.dark;
  if (last && (isSame || token.text.trim() === "")) last.text += token.text;
  else tokens.push(token);
  return tokens;
};

const isKnownLanguage = (language: string): language is keyof typeof bundledLanguages =>
  Object.hasOwn(bundledLanguages, language);
