import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { generateArguments } from "@/server/model/generate-arguments";
import { parseFailure, type DemoFailure } from "./parse-failure";
import { parsePrompt, type DemoPrompt } from "./parse-prompt";
import { parseWish } from "./parse-wish";
import { playScript } from "./play-script";
import { parseToolCalls, type DemoCall, type DemoTool } from "./parse-tool-calls";
import {
  ADVICE,
  createTitle,
  formatHelp,
  NO_ADVISOR,
  STORY,
  formatReports,
  formatSummary,
  formatReasoning,
  formatUnknownTool,
  repeatWords,
} from "./reply-texts";

const SLOW_WORD_MS = 250;
const MAX_WORD_MS = 10_000;
const MAX_WORDS = 20_000;

/** What the demo model streams in reply to a request. */
export type DemoReply = {
  reasoning: string;
  text: string;
  calls: DemoCall[];
  wordMs: number;
  failure: DemoFailure | undefined;
};

type Modifiers = { slowMs: number | undefined; shouldReason: boolean; rest: string };
type Answer = Partial<Pick<DemoReply, "text" | "calls" | "failure">>;

/** Plans the reply to a request from the commands in its last user message. */
export const planReply = (
  options: LanguageModelV4CallOptions,
  defaultWordMs: number,
): DemoReply => {
  const prompt = parsePrompt(options.prompt);
  const tools = (options.tools ?? []).filter((tool) => tool.type === "function");
  const { slowMs, shouldReason, rest } = parseModifiers(prompt.question);
  const wordMs = slowMs ?? defaultWordMs;
  const reasoning = shouldReason && prompt.batches === 0 ? formatReasoning(rest) : "";
  const answer =
    replyToSystemPrompt(options, prompt, tools.length) ??
    replyToReports(prompt) ??
    replyToQuestion(rest, prompt, tools);
  return { reasoning, text: "", calls: [], failure: undefined, wordMs, ...answer };
};

/** Parses leading `slow` and `think`, which modify the command after them. */
const parseModifiers = (question: string): Modifiers => {
  const lead = /^(?:(?:please|slow|think)\b[\s,:]*(?:\d+\s*(?:ms|s)\b[\s,:]*)?)+/i.exec(question);
  const words = lead?.[0].toLowerCase() ?? "";
  const [, amount, unit] = /(\d+)\s*(ms|s)/.exec(words) ?? [];
  const unitMs = unit === "s" ? 1_000 : 1;
  const requestedMs = amount === undefined ? SLOW_WORD_MS : Number(amount) * unitMs;
  return {
    slowMs: words.includes("slow") ? Math.min(requestedMs, MAX_WORD_MS) : undefined,
    shouldReason: words.includes("think"),
    rest: question.slice(words.length).trim() || (words.includes("slow") ? "story" : question),
  };
};

/** Replies to requests for JSON, a title or advice, which are not part of a conversation. */
const replyToSystemPrompt = (
  { responseFormat }: LanguageModelV4CallOptions,
  { system, question }: DemoPrompt,
  toolCount: number,
): Answer | undefined => {
  const title = createTitle(question);
  if (responseFormat?.type === "json") {
    const schema = responseFormat.schema ?? { type: "object", required: ["title"] };
    const json = { ...generateArguments(schema, question), ...("title" in { title } && { title }) };
    return { text: JSON.stringify(json) };
  }
  if (toolCount > 0) return undefined;
  if (/\b(?:write|give|make|find|generate)\b[^.]{0,60}\btitle\b/i.test(system))
    return { text: title };
  if (!/advis/i.test(system)) return undefined;
  const failure = parseFailure(question);
  return { text: ADVICE, ...(failure && { failure }) };
};

const replyToReports = ({ question, reports }: DemoPrompt): Answer | undefined =>
  question === "" && reports.length > 0 ? { text: formatReports(reports) } : undefined;

const replyToQuestion = (question: string, prompt: DemoPrompt, tools: DemoTool[]): Answer => {
  // "use a then b" is two batches in sequence; a "then" inside JSON arguments or a command does not count.
  const stage =
    question.split(/\bthen\b(?![^{}]*\})(?=[^`]*(?:`[^`]*`[^`]*)*$)/i)[prompt.batches] ?? "";
  const toolNames = tools.map((tool) => tool.name);
  const failure = prompt.batches === 0 ? parseFailure(question) : undefined;
  if (failure) return { failure, text: STORY };
  const adviceRequest = prompt.batches === 0 && parseAdviceRequest(question);
  if (adviceRequest) return callAdvisor(adviceRequest, toolNames);
  const played = playScript(question, prompt, toolNames);
  if (played) return played;
  const wished = parseWish(stage, toolNames, prompt.allResults);
  if (wished.length > 0) return { calls: wished };
  const calls = parseToolCalls(stage, tools);
  if (calls.length > 0) return { calls };
  if (prompt.results.length > 0) return { text: summarize(prompt) };
  return { text: selectText(question, toolNames) };
};

const summarize = ({ results, lateReports }: DemoPrompt): string =>
  [formatSummary(results), formatReports(lateReports)].filter(Boolean).join("\n\n");

const parseAdviceRequest = (question: string): string | undefined =>
  /^(?:advise|ask the advisor)\b[\s:,]*([^]*)$/i.exec(question)?.[1];

const callAdvisor = (question: string, toolNames: string[]): Answer =>
  toolNames.includes("advisor")
    ? {
        calls: [
          { toolName: "advisor", input: JSON.stringify({ question: question || "What next?" }) },
        ],
      }
    : { text: NO_ADVISOR };

const selectText = (question: string, toolNames: string[]): string => {
  const count = /\bwrite (\d+) words\b/i.exec(question)?.[1];
  if (count !== undefined) return repeatWords(Math.min(Number(count), MAX_WORDS));
  if (/\bstory\b/i.test(question)) return STORY;
  const unknown = /^use (?:the )?[`"']?([\w-]+)[`"']?/i.exec(question)?.[1];
  return unknown === undefined
    ? formatHelp(question, toolNames)
    : formatUnknownTool(unknown, toolNames);
};
