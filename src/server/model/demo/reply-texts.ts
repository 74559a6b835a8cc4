import type { DemoReport, DemoResult } from "./parse-prompt";
import { listExamples } from "./phrases";

export const STORY = `Once upon a time there was a model that knew only one story. It told it slowly, word by word, so that whoever listened could leave the room, come back, and find the story still going on. Some listeners spoke in between, and their words waited politely in a queue. Some said stop, and the story stopped, and what had been told so far was kept. One listener even closed the window and opened it again, and not a word was missing. The end.`;

export const ADVICE = `**Strategy.** Take the smallest step that can be checked, then look before taking the next one.

**Risks.** Make sure that the step can be undone, and that you know what success looks like before you begin.

**Next.** Say which assumption you are least sure of and test that one first.

_(Scripted advice of the demo model.)_`;

const WORDS =
  "a model reads what was written so far and then writes one more word after which it reads everything again";

/** Generates a deterministic text of `count` words. */
export const repeatWords = (count: number): string => {
  const words = WORDS.split(" ");
  return Array.from({ length: count }, (_, index) => words[index % words.length]).join(" ");
};

/** The last words of the person that a summary has. */
const MAX_SUMMED_UP = 5;
const SAID = /^\{"user":("(?:[^"\\]|\\.)*")\}$/gm;

/** Sums up a transcript of lines of JSON by what the person has said last. */
export const formatSummary = (transcript: string): string => {
  const said = [...transcript.matchAll(SAID)].map(([, json = '""']) => JSON.parse(json) as string);
  return [
    `**You have said ${said.length === 1 ? "one thing" : `${said.length} things`}** since the last summary:`,
    said
      .slice(-MAX_SUMMED_UP)
      .map((text) => `- ${shorten(text.replaceAll("\n", " "))}`)
      .join("\n"),
    "_(Scripted summary of the demo model.)_",
  ].join("\n\n");
};

const MAX_TITLE_WORDS = 6;
const OPEN_WORDS =
  /(?: (?:an?|and|as|at|by|for|from|in|into|is|my|of|on|or|our|the|their|to|what|which|with|your))+$/i;

/** Creates a title from the first words of a message. */
export const createTitle = (message: string): string => {
  // A dot or slash between letters is part of a word, as in notes.md.
  const words = message.match(/[\p{L}\p{N}][\p{L}\p{N}'_-]*(?:[./][\p{L}\p{N}'_-]+)*/gu) ?? [];
  const first = words.slice(0, MAX_TITLE_WORDS).join(" ") || "New chat";
  // Without the word that it belongs to, such as a noun, a word is not the end of a title.
  const title = words.length > MAX_TITLE_WORDS ? first.replace(OPEN_WORDS, "") : first;
  return title.charAt(0).toUpperCase() + title.slice(1);
};

export const formatReasoning = (question: string): string =>
  `The question is "${shorten(question)}". I am a script, so there is little to weigh: I look at its first word, at the names of the tools on offer, and then I answer.`;

/** Formats the answer to a question that is not a command. */
export const formatGreeting = (question: string): string =>
  [
    `You said:\n\n${shorten(question, 500).replaceAll(/^/gm, "> ")}`,
    "I am Parley's **demo model**: a script that needs no key, here so that you can try everything else. Say `help` for all that I understand.",
    "To talk to a **real model**, an administrator connects one in the settings, under Models. A key in the environment works too, such as `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` or `GOOGLE_GENERATIVE_AI_API_KEY` with the model in `PARLEY_MODELS` (for example `openai/gpt-5`), after a restart.",
  ].join("\n\n");

/** Formats what a person can say, as far as its tools are offered. */
export const formatHelp = (toolNames: readonly string[]): string =>
  [
    "I am Parley's **demo model**, a script. I understand:\n",
    ...(toolNames.includes("exec") ? ["- draw a chart of data.csv", "- open a terminal"] : []),
    ...listExamples(toolNames).map((example) => `- ${example}`),
    `- \`use ${toolNames[0] ?? "<tool>"} with {…}\`, or any question that names a tool: ${quoteNames(toolNames)}`,
    "- `advise …` to consult the advisor, `think …` to see reasoning",
    "- `write 300 words`, `slow story`, `fail once`, `fail 429`",
    "- `… then …` for one thing after another",
  ].join("\n");

/** Formats why a tool cannot be called. */
export const formatMissingTools = (missing: readonly string[]): string =>
  `For that I need ${quoteNames(missing)}, which this chat is not offered. Under Settings, Tools you see why. (I am the demo model.)`;

/** Formats one line per tool result, and the reports of tasks. */
export const formatOutcome = (results: DemoResult[], reports: DemoReport[]): string => {
  const title =
    results.length === 1 ? "The tool has answered:" : `All ${results.length} tools have answered:`;
  const lines = results.map(({ toolName, output, isError }) => {
    return `- \`${toolName}\`${isError ? " **failed**" : ""}: ${shorten(output)}`;
  });
  const end = "That is all I can do with it: I am the demo model.";
  return [
    ...(results.length > 0 ? [title, lines.join("\n"), end] : []),
    ...reports.map(({ label, report }) => `**${label}** has ended: ${shorten(report)}`),
  ].join("\n\n");
};

const quoteNames = (names: readonly string[]): string => `\`${names.join("`, `")}\``;

const shorten = (text: string, length = 200): string => {
  const points = Array.from(text.trim());
  return points.length <= length ? text.trim() : `${points.slice(0, length - 1).join("")}…`;
};
