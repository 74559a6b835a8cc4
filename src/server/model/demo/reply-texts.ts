import type { DemoReport } from "./parse-prompt";
import { listExamples } from "./parse-wish";

export const STORY = `Once upon a time there was a model that knew only one story. It told it slowly, word by word, so that whoever listened could leave the room, come back, and find the story still going on. Some listeners spoke in between, and their words waited politely in a queue. Some said stop, and the story stopped, and what had been told so far was kept. One listener even closed the window and opened it again, and not a word was missing. The end.`;

export const ADVICE = `**Strategy.** Take the smallest step that can be checked, then look before taking the next one.

**Risks.** Make sure that the step can be undone, and that you know what success looks like before you begin.

**Next.** Say which assumption you are least sure of and test that one first.

_(Scripted advice of the demo model.)_`;

const MAX_TITLE_WORDS = 6;
/** A title that is cut does not end with one of these, as the word that it belongs to is missing. */
const OPEN_WORDS = new Set(
  "a an and as at by for from in into is my of on or our the their to what which with your".split(
    " ",
  ),
);
const WORDS = `a model reads what was written so far and then writes one more word after which it reads everything again`;

export const NO_ADVISOR =
  "The advisor is not available in this chat, so I cannot ask it. (I am the demo model.)";

/** Creates a title from the first words of a message. */
export const createTitle = (message: string): string => {
  // A dot or slash between letters is part of a word, as in notes.md.
  const words = message.match(/[\p{L}\p{N}][\p{L}\p{N}'_-]*(?:[./][\p{L}\p{N}'_-]+)*/gu) ?? [];
  const title = cutWords(words).join(" ");
  return title === "" ? "New chat" : title.charAt(0).toUpperCase() + title.slice(1);
};

const cutWords = (words: readonly string[]): readonly string[] => {
  const first = words.slice(0, MAX_TITLE_WORDS);
  const end = first.findLastIndex((word) => !OPEN_WORDS.has(word.toLowerCase())) + 1;
  return words.length === first.length || end === 0 ? first : first.slice(0, end);
};

/** Answers the reports of tasks. */
export const formatReports = (reports: readonly DemoReport[]): string =>
  reports.map(({ label, report }) => `**${label}** has ended: ${shorten(report)}`).join("\n\n");

/** Generates a deterministic text of `count` words. */
export const repeatWords = (count: number): string => {
  const words = WORDS.split(" ");
  return Array.from({ length: count }, (_, index) => words[index % words.length]).join(" ");
};

export const formatReasoning = (question: string): string =>
  `The question is "${shorten(question)}". I am a script, so there is little to weigh: I look at its first word, at the names of the tools on offer, and then I answer.`;

/** Formats the answer to a question that is not a command. */
export const formatHelp = (question: string, toolNames: string[]): string =>
  [
    `You said:\n\n${toQuote(question)}`,
    "I am Parley's **demo model**: a script that needs no key, here so that you can try everything else. I understand:",
    [
      ...formatExamples(toolNames),
      `- \`use ${toolNames[0] ?? "<tool>"} with {…}\` or any question that names a tool${formatToolList(toolNames)}`,
      "- `advise …` to consult the advisor, `think …` to see reasoning",
      "- `write 300 words`, `slow story`, `fail once`, `fail 429`",
    ].join("\n"),
    "To talk to a **real model**, an administrator connects one in the settings, under Models. A key in the environment works too, such as `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` or `GOOGLE_GENERATIVE_AI_API_KEY` with the model in `PARLEY_MODELS` (for example `openai/gpt-5`), after a restart.",
  ].join("\n\n");

/** Formats what a person can say, one line for each tool that is offered. */
const formatExamples = (toolNames: string[]): string[] => [
  ...(toolNames.includes("exec") ? ["- draw a chart of data.csv", "- open a terminal"] : []),
  ...listExamples(toolNames).map((example) => `- ${example}`),
];

/** Formats why a task of several steps cannot be done. */
export const formatMissingTools = (missing: readonly string[]): string =>
  `For that I need ${missing.map((name) => `\`${name}\``).join(" and ")}, which this chat is not offered. Under Settings, Tools you see why.`;

export const formatUnknownTool = (name: string, toolNames: string[]): string =>
  `There is no tool called \`${name}\` here${toolNames.length > 0 ? `. On offer${formatToolList(toolNames)}` : ", nor any other"}.`;

/** Formats one line per tool result. */
export const formatSummary = (
  results: { toolName: string; output: string; isError: boolean }[],
): string =>
  [
    results.length === 1 ? "The tool has answered:" : `All ${results.length} tools have answered:`,
    results
      .map(({ toolName, output, isError }) =>
        isError
          ? `- \`${toolName}\` **failed**: ${shorten(output)}`
          : `- \`${toolName}\`: ${shorten(output)}`,
      )
      .join("\n"),
    "That is all I can do with it: I am the demo model.",
  ].join("\n\n");

const formatToolList = (toolNames: string[]): string =>
  toolNames.length === 0 ? "" : `: ${toolNames.map((name) => `\`${name}\``).join(", ")}`;

const toQuote = (text: string): string =>
  shorten(text, 500)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");

const shorten = (text: string, length = 200): string => {
  const points = Array.from(text.trim());
  return points.length <= length ? text.trim() : `${points.slice(0, length - 1).join("")}…`;
};
