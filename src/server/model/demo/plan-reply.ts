import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { generateArguments } from "@/server/model/generate-arguments";
import { parseFailure } from "./failures";
import { type DemoPrompt, parsePrompt, writeXmlCalls } from "./parse-prompt";
import { type DemoCall, parseToolCalls } from "./parse-tool-calls";
import { parsePhrase } from "./phrases";
import * as texts from "./reply-texts";
import { continueScript } from "./scripts";

const SLOW_WORD_MS = 250;
const MAX_WORD_MS = 10_000;
const MAX_WORDS = 20_000;

/** What the demo model streams in reply to a request. */
export type DemoReply = {
  reasoning: string;
  text: string;
  calls: DemoCall[];
  wordMs: number;
  failure?: ReturnType<typeof parseFailure>;
};

type Answer = Partial<Pick<DemoReply, "text" | "calls" | "failure">>;

/** Plans the reply to a request from the commands in its last user message. */
export const planReply = (options: LanguageModelV4CallOptions, usualMs: number): DemoReply => {
  const prompt = parsePrompt(options);
  const { wordMs, isThinking, question } = parseModifiers(prompt.question, usualMs);
  const isAsked = options.reasoning !== undefined && options.reasoning !== "none";
  const reasoning =
    (isThinking || isAsked) && prompt.step === 0 ? texts.formatReasoning(question) : "";
  const answer = replyToSystemPrompt(options, prompt) ?? replyToQuestion({ ...prompt, question });
  const reply = { reasoning, text: "", calls: [], wordMs, ...answer };
  const { tools, word } = prompt;
  if (word === undefined || reply.calls.length === 0) return reply;
  const block = writeXmlCalls(reply.calls, { tools, word });
  return { ...reply, calls: [], text: [reply.text, block].filter(Boolean).join("\n\n") };
};

/** Parses leading `slow` and `think`, which modify the command after them. */
const parseModifiers = (question: string, defaultWordMs: number) => {
  const lead = /^(?:(?:please|slow|think)\b[\s,:]*(?:\d+\s*m?s\b[\s,:]*)?)+/i.exec(question);
  const words = lead?.[0].toLowerCase() ?? "";
  const isSlow = words.includes("slow");
  const [, amount, unit] = /(?<!\d)(\d+)\s*(m?s)/.exec(words) ?? [];
  const slowMs = amount ? Number(amount) * (unit === "s" ? 1_000 : 1) : SLOW_WORD_MS;
  return {
    wordMs: isSlow ? Math.min(slowMs, MAX_WORD_MS) : defaultWordMs,
    isThinking: words.includes("think"),
    question: question.slice(words.length).trim() || (isSlow ? "story" : question),
  };
};

/** Replies to requests for JSON, a summary or advice, which are not part of a conversation. */
const replyToSystemPrompt = (
  { responseFormat }: LanguageModelV4CallOptions,
  { system, question, tools }: DemoPrompt,
): Answer | undefined => {
  if (responseFormat?.type === "json") {
    const json = generateArguments(responseFormat.schema ?? {}, question);
    const title = "title" in json && { title: texts.createTitle(question) };
    return { text: JSON.stringify({ ...json, ...title }) };
  }
  if (tools.length === 0 && /^sum up\b/i.test(system)) {
    const wish = /^The user asks to keep in particular: (.*)$/m.exec(question)?.[1] ?? "";
    return { text: texts.formatSummary(question), failure: parseFailure(wish) };
  }
  const isAdvisor = tools.length === 0 && /advis/i.test(system);
  return isAdvisor ? { text: texts.ADVICE, failure: parseFailure(question) } : undefined;
};

/** A longer question is no list of steps, in characters: each "then" is a reason to read the rest. */
const MAX_SPLIT_LENGTH = 10_000;

const replyToQuestion = (prompt: DemoPrompt): Answer => {
  const { question, step, tools, results, allResults, reports } = prompt;
  const toolNames = tools.map((tool) => tool.name);
  const command = step === 0 ? replyToCommand(question, toolNames) : undefined;
  const started = command ?? continueScript(prompt, toolNames);
  if (started) return started;
  // "use a then b" is two steps; a "then" inside JSON arguments or a command does not count.
  const parts = question
    .slice(0, MAX_SPLIT_LENGTH)
    .split(/\bthen\b(?![^{}]*\})(?=[^`]*(?:`[^`]*`[^`]*)*$)/i);
  const phrased = parsePhrase(parts[step] ?? "", toolNames, allResults);
  const calls = phrased.length > 0 ? phrased : parseToolCalls(parts[step] ?? "", tools);
  if (calls.length > 0) return { calls };
  const isAnswered = results.length > 0 || (question === "" && reports.length > 0);
  if (isAnswered) return { text: texts.formatOutcome(results, reports) };
  return { text: selectText(question, toolNames) };
};

/** Replies to `fail …` and `advise …`, which are not repeated in a later step. */
const replyToCommand = (question: string, toolNames: string[]): Answer | undefined => {
  const failure = parseFailure(question);
  if (failure) return { failure, text: texts.STORY };
  const request = /^(?:advise|ask the advisor)\b[\s,:]*([^]*)$/i.exec(question)?.[1];
  if (request === undefined) return undefined;
  if (!toolNames.includes("advisor")) return { text: texts.formatMissingTools(["advisor"]) };
  const input = JSON.stringify({ question: request || "What next?" });
  return { calls: [{ toolName: "advisor", input }] };
};

const selectText = (question: string, toolNames: string[]): string => {
  const count = /\bwrite (\d+) words\b/i.exec(question)?.[1];
  if (count !== undefined) return texts.repeatWords(Math.min(Number(count), MAX_WORDS));
  if (/\bstory\b/i.test(question)) return texts.STORY;
  if (/^(?:@\S+\s+)*(?:help|what can you do)\b/i.test(question)) return texts.formatHelp(toolNames);
  const unknown = /^use (?:the )?[`"']?([\w-]+)/i.exec(question)?.[1];
  return unknown ? texts.formatMissingTools([unknown]) : texts.formatGreeting(question);
};
