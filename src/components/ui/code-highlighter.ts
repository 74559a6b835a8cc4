import { createCodePlugin } from "@streamdown/code";

const shiki = createCodePlugin({ themes: ["github-light-high-contrast", "github-dark-default"] });

/**
 * Colours code blocks. One that is still open stays plain: its colours would change with every
 * token that arrives.
 */
export const codeHighlighter: typeof shiki = {
  ...shiki,
  highlight: (options, callback) =>
    options.isIncomplete ? plain(options.code) : shiki.highlight(options, callback),
};

const plain = (code: string): ReturnType<typeof shiki.highlight> => ({
  bg: "transparent",
  fg: "inherit",
  tokens: code
    .split("\n")
    .map((line) => [{ content: line, color: "inherit", bgColor: "transparent", offset: 0 }]),
});
