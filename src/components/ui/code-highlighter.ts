import { createCodePlugin } from "@streamdown/code";

const shiki = createCodePlugin({ themes: ["github-light-high-contrast", "github-dark-default"] });

/**
 * Highlights code blocks. An unfinished block stays plain, because its colors would change with
 * each token.
 */
export const codeHighlighter: typeof shiki = {
  ...shiki,
  highlight: (options, callback) =>
    options.isIncomplete ? toPlainTokens(options.code) : shiki.highlight(options, callback),
};

const toPlainTokens = (code: string): ReturnType<typeof shiki.highlight> => ({
  bg: "transparent",
  fg: "inherit",
  tokens: code
    .split("\n")
    .map((line) => [{ content: line, color: "inherit", bgColor: "transparent", offset: 0 }]),
});
