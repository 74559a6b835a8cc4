import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { demoArguments } from "./demo-arguments";
import { demoCalls, type DemoCall, type DemoTool } from "./demo-calls";
import { demoFailure, type DemoFailure } from "./demo-failures";
import { readDemoPrompt, type DemoPrompt } from "./demo-prompt";
import {
  demoAdvice,
  demoHelp,
  demoNoAdvisor,
  demoStory,
  demoSummary,
  demoThought,
  demoUnknownTool,
  demoWords,
} from "./demo-texts";
import { demoTitle } from "./demo-title";

const SLOW_WORD_MS = 250;
const LONGEST_WORD_MS = 10_000;
const MOST_WORDS = 20_000;

/** What the demo model will do with a request. */
export type DemoReply = {
  reasoning: string;
  text: string;
  calls: DemoCall[];
  wordMs: number;
  failure: DemoFailure | undefined;
};

type Manner = { slowMs: number | undefined; thinks: boolean; rest: string };
type Answer = Partial<Pick<DemoReply, "text" | "calls" | "failure">>;

export const demoReply = (options: LanguageModelV4CallOptions, usualWordMs: number): DemoReply => {
  const prompt = readDemoPrompt(options.prompt);
  const tools = (options.tools ?? []).filter((tool) => tool.type === "function");
  const { slowMs, thinks, rest } = manner(prompt.question);
  const wordMs = slowMs ?? usualWordMs;
  const reasoning = thinks && prompt.batches === 0 ? demoThought(rest) : "";
  const answer = toldWhatToDo(options, prompt, tools.length) ?? answerTo(rest, prompt, tools);
  return { reasoning, text: "", calls: [], failure: undefined, wordMs, ...answer };
};

/** `slow` and `think` say how to answer; what follows says what. */
const manner = (question: string): Manner => {
  const lead = /^(?:(?:please|slow|think)\b[\s,:]*(?:\d+\s*(?:ms|s)\b[\s,:]*)?)+/i.exec(question);
  const words = lead?.[0].toLowerCase() ?? "";
  const [, amount, unit] = /(\d+)\s*(ms|s)/.exec(words) ?? [];
  const asked = amount === undefined ? SLOW_WORD_MS : Number(amount) * (unit === "s" ? 1_000 : 1);
  return {
    slowMs: words.includes("slow") ? Math.min(asked, LONGEST_WORD_MS) : undefined,
    thinks: words.includes("think"),
    rest: question.slice(words.length).trim() || (words.includes("slow") ? "story" : question),
  };
};

/** What the system asks for that is no conversation: JSON, a title, or advice. */
const toldWhatToDo = (
  { responseFormat }: LanguageModelV4CallOptions,
  { system, question }: DemoPrompt,
  toolCount: number,
): Answer | undefined => {
  const title = demoTitle(question);
  if (responseFormat?.type === "json") {
    const schema = responseFormat.schema ?? { type: "object", required: ["title"] };
    const json = { ...demoArguments(schema, question), ...("title" in { title } && { title }) };
    return { text: JSON.stringify(json) };
  }
  if (toolCount > 0) return undefined;
  if (/\b(?:write|give|make|find|generate)\b[^.]{0,60}\btitle\b/i.test(system))
    return { text: title };
  if (!/advis/i.test(system)) return undefined;
  const failure = demoFailure(question);
  return { text: demoAdvice(), ...(failure && { failure }) };
};

const answerTo = (question: string, prompt: DemoPrompt, tools: DemoTool[]): Answer => {
  // "use a then b" is two batches, one after the other; a "then" inside arguments is not meant.
  const stage = question.split(/\bthen\b(?![^{}]*\})/i)[prompt.batches] ?? "";
  const names = tools.map((tool) => tool.name);
  const failure = prompt.batches === 0 ? demoFailure(question) : undefined;
  if (failure) return { failure, text: demoStory() };
  const advice = prompt.batches === 0 && adviceAsked(question);
  if (advice) return askAdvisor(advice, names);
  const calls = demoCalls(stage, tools);
  if (calls.length > 0) return { calls };
  if (prompt.results.length > 0) return { text: demoSummary(prompt.results) };
  return { text: textTo(question, names) };
};

const adviceAsked = (question: string): string | undefined =>
  /^(?:advise|ask the advisor)\b[\s:,]*([^]*)$/i.exec(question)?.[1];

const askAdvisor = (question: string, toolNames: string[]): Answer =>
  toolNames.includes("advisor")
    ? {
        calls: [
          { toolName: "advisor", input: JSON.stringify({ question: question || "What next?" }) },
        ],
      }
    : { text: demoNoAdvisor() };

const textTo = (question: string, toolNames: string[]): string => {
  const count = /\bwrite (\d+) words\b/i.exec(question)?.[1];
  if (count !== undefined) return demoWords(Math.min(Number(count), MOST_WORDS));
  if (/\bstory\b/i.test(question)) return demoStory();
  const unknown = /^use (?:the )?[`"']?([\w-]+)[`"']?/i.exec(question)?.[1];
  return unknown === undefined
    ? demoHelp(question, toolNames)
    : demoUnknownTool(unknown, toolNames);
};
