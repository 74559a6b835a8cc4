import type { JSONSchema7 } from "@ai-sdk/provider";
import { demoArguments } from "./demo-arguments";

export type DemoTool = { name: string; inputSchema: JSONSchema7 };
export type DemoCall = { toolName: string; input: string };

type Mention = { start: number; end: number; tool: DemoTool };

/**
 * The tool calls that a sentence asks for, in the order in which it names them. A name may be
 * followed by its arguments as JSON, as in `use search with {"query": "cats"}`; what looks like
 * JSON and is none is passed on as it is, as a model that slips would do.
 */
export const demoCalls = (sentence: string, tools: DemoTool[]): DemoCall[] => {
  const calls: DemoCall[] = [];
  let from = 0;
  for (;;) {
    const mention = firstMention(sentence, tools, from);
    if (mention === undefined) return calls;
    const json = argumentsAt(sentence, mention.end);
    const input = json ?? JSON.stringify(demoArguments(mention.tool.inputSchema, sentence.trim()));
    calls.push({ toolName: mention.tool.name, input });
    from = json === undefined ? mention.end : sentence.indexOf(json, mention.end) + json.length;
  }
};

/** The earliest name; of two that begin together, the longer. */
const firstMention = (sentence: string, tools: DemoTool[], from: number): Mention | undefined => {
  let first: Mention | undefined;
  for (const tool of tools) {
    const pattern = namePattern(tool.name);
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

/** `current_time` is also meant by "current time". */
const namePattern = (name: string): RegExp => {
  const words = name.split(/[_\s-]+/).map((word) => word.replace(/[^\p{L}\p{N}]/gu, "\\$&"));
  return new RegExp(`(?<![\\p{L}\\p{N}_-])${words.join("[_ -]+")}(?![\\p{L}\\p{N}_-])`, "giu");
};

/** The JSON object right after a name, up to the brace that closes it, else to the line's end. */
const argumentsAt = (sentence: string, at: number): string | undefined => {
  const lead = /^[`"']?\s*(?:with|using|and|:|=|,)?\s*(?=\{)/i.exec(sentence.slice(at));
  if (lead === null) return undefined;
  const rest = sentence.slice(at + lead[0].length);
  const end = closingBrace(rest);
  return end === -1 ? (rest.split("\n")[0] ?? rest) : rest.slice(0, end + 1);
};

const closingBrace = (text: string): number => {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === "{") depth++;
    if (token === "}") depth--;
    if (depth === 0) return index;
  }
  return -1;
};
