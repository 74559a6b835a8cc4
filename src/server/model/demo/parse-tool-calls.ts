import type { JSONSchema7 } from "@ai-sdk/provider";
import { generateArguments } from "@/server/model/generate-arguments";

export type DemoTool = { name: string; inputSchema: JSONSchema7 };
export type DemoCall = { toolName: string; input: string };

const createObjectPattern = (depth: number): string => {
  const inner = depth > 0 ? `|${createObjectPattern(depth - 1)}` : "";
  return String.raw`\{(?:[^{}"]|"(?:[^"\\]|\\.)*"${inner})*\}`;
};

/** An object whose values may be nested eight levels deep; without its end, all up to the end of the line. */
const ARGUMENTS = String.raw`["'\x60]?\s*(?:with|using|and|:|=|,)?\s*(${createObjectPattern(8)}|\{.*)`;

/**
 * Parses the tool calls of a sentence, in the order in which it names them. Arguments may follow a
 * name as JSON, as in `use search with {"query": "cats"}`. Invalid JSON is kept, like the mistake
 * of a real model.
 */
export const parseToolCalls = (sentence: string, tools: readonly DemoTool[]): DemoCall[] => {
  // The longer of two names at the same position counts.
  const patterns = tools
    .map(({ name }) => name.replaceAll(/[^\p{L}\p{N}_\s-]/gu, "\\$&").replaceAll(SPACES, "[_ -]+"))
    .sort((a, b) => b.length - a.length);
  const name = String.raw`(?<![\p{L}\p{N}_-])(${patterns.join("|")})(?![\p{L}\p{N}_-])`;
  const mentions = [...sentence.matchAll(new RegExp(`${name}(?:${ARGUMENTS})?`, "giu"))];
  return mentions.flatMap(([, mention = "", json]) => {
    const tool = tools.find((one) => normalizeName(one.name) === normalizeName(mention));
    if (!tool) return [];
    const input = json ?? JSON.stringify(generateArguments(tool.inputSchema, sentence.trim()));
    return { toolName: tool.name, input };
  });
};

/** A sentence may name `current_time` as "current time". */
const SPACES = /[_\s-]+/g;
const normalizeName = (name: string): string => name.toLowerCase().replaceAll(SPACES, "_");
