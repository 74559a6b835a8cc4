import type { JSONSchema7 } from "@ai-sdk/provider";
import { generateArguments } from "@/server/model/generate-arguments";

export type DemoTool = { name: string; inputSchema: JSONSchema7 };
export type DemoCall = { toolName: string; input: string };

type Mention = { start: number; end: number; tool: DemoTool };

/**
 * Parses the tool calls of a sentence, in the order in which it names them. Arguments may follow a
 * name as JSON, as in `use search with {"query": "cats"}`. Invalid JSON is kept, like the mistake
 * of a real model.
 */
export const parseToolCalls = (sentence: string, tools: DemoTool[]): DemoCall[] => {
  const calls: DemoCall[] = [];
  let from = 0;
  for (;;) {
    const mention = findFirstMention(sentence, tools, from);
    if (mention === undefined) return calls;
    const json = extractArguments(sentence, mention.end);
    const { name, inputSchema } = mention.tool;
    const input = json ?? JSON.stringify(generateArguments(inputSchema, sentence.trim()));
    calls.push({ toolName: name, input });
    from = json === undefined ? mention.end : sentence.indexOf(json, mention.end) + json.length;
  }
};

/** Finds the earliest tool name; the longer of two at the same position. */
const findFirstMention = (
  sentence: string,
  tools: DemoTool[],
  from: number,
): Mention | undefined => {
  let first: Mention | undefined;
  for (const tool of tools) {
    const pattern = createNamePattern(tool.name);
    pattern.lastIndex = from;
    const match = pattern.exec(sentence);
    if (match === null) continue;
    const mention = { start: match.index, end: match.index + match[0].length, tool };
    if (first === undefined || isBefore(mention, first)) first = mention;
  }
  return first;
};

const isBefore = (one: Mention, other: Mention): boolean =>
  one.start < other.start || (one.start === other.start && one.end > other.end);

/** Matches `current_time` also as "current time". */
const createNamePattern = (name: string): RegExp => {
  const words = name.split(/[_\s-]+/).map((word) => word.replace(/[^\p{L}\p{N}]/gu, "\\$&"));
  return new RegExp(`(?<![\\p{L}\\p{N}_-])${words.join("[_ -]+")}(?![\\p{L}\\p{N}_-])`, "giu");
};

/** Extracts the JSON object after a name: up to its closing brace, or to the end of the line. */
const extractArguments = (sentence: string, at: number): string | undefined => {
  const lead = /^[`"']?\s*(?:with|using|and|:|=|,)?\s*(?=\{)/i.exec(sentence.slice(at));
  if (lead === null) return undefined;
  const rest = sentence.slice(at + lead[0].length);
  const end = findClosingBrace(rest);
  return end === -1 ? (rest.split("\n")[0] ?? rest) : rest.slice(0, end + 1);
};

const findClosingBrace = (text: string): number => {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === "{") depth++;
    if (token === "}") depth--;
    if (depth === 0) return index;
  }
  return -1;
};
