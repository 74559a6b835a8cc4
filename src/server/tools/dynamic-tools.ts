import { hash } from "node:crypto";
import type { JSONSchema7 } from "@ai-sdk/provider";
import { LRUCache } from "lru-cache";
import type { ChatDynamicTool, DynamicTool } from "@/contract/dynamic-tool";
import type { ToolScope } from "./tool-context";
import { describeDropped } from "./dropped-parts";
import type { ToolDefinition } from "./tool";
import { createInliningBudget, type InliningBudget, toToolParameters } from "./tool-parameters";

/** A dynamic tool as it is offered to the model; a client runs its calls. */
export type OfferedDynamicTool = {
  kind: "dynamic";
  /** False for one that has come with a group. */
  isOfCaller: boolean;
  name: string;
  description?: string;
  /** The part of the client's schema that reaches the model; arguments are checked against it. */
  parameters: JSONSchema7;
  /** What is declared of its calls. */
  definition: ToolDefinition;
  /** A sentence for each part of the client's schema that was dropped. */
  warnings: readonly string[];
};

/** Parameters that are kept, in characters of JSON: those of thousands of ordinary chats. */
const MAX_CACHED_CHARS = 8 * 1024 * 1024;
const MAX_LOGGED_WARNINGS = 10;

const NO_TOOLS: readonly OfferedDynamicTool[] = [];

/** Creates a function that converts the dynamic tools of a chat, once for all turns that have the same. */
export const createDynamicToolCache = () => {
  const cache = new LRUCache<string, readonly OfferedDynamicTool[]>({
    maxSize: MAX_CACHED_CHARS,
    sizeCalculation: (tools) => JSON.stringify(tools).length,
  });
  return ({ chatId, dynamicTools, log }: ToolScope): readonly OfferedDynamicTool[] => {
    if (dynamicTools.length === 0) return NO_TOOLS;
    // A chat gets those of groups later, and other chats have the same.
    const key = hash("sha256", JSON.stringify(dynamicTools));
    const known = cache.get(key);
    if (known) return known;
    const offered = toOfferedTools(dynamicTools);
    const warnings = offered.flatMap((tool) => tool.warnings).slice(0, MAX_LOGGED_WARNINGS);
    if (warnings.length > 0) log.warn({ chatId, warnings }, "input_schema not offered as it is");
    cache.set(key, offered);
    return offered;
  };
};

/** Offers dynamic tools to the model: name, description, `properties` and `required`. */
const toOfferedTools = (tools: readonly ChatDynamicTool[]): OfferedDynamicTool[] => {
  const budget = createInliningBudget();
  return tools.map((tool) => toOfferedTool(tool, budget));
};

const toOfferedTool = (tool: ChatDynamicTool, budget: InliningBudget): OfferedDynamicTool => {
  const { name, description, input_schema } = tool;
  const { parameters, dropped } =
    input_schema === undefined ? NO_PARAMETERS : toToolParameters(input_schema, budget);
  return {
    kind: "dynamic",
    isOfCaller: tool.group === undefined,
    name,
    ...(description !== undefined && { description }),
    parameters: parameters as JSONSchema7,
    definition: toDefinition(tool),
    warnings: describeDropped(dropped, { tool: name, at: "/input_schema" }),
  };
};

/** Returns what counts for the calls of a tool. */
export const toDefinition = (tool: DynamicTool): ToolDefinition =>
  Object.fromEntries(
    OF_CALLS.flatMap((key) => (tool[key] === undefined ? [] : [[key, tool[key]]])),
  );

const OF_CALLS = [
  "description",
  "output_schema",
  "timeout_seconds",
  "repeatable",
  "max_attempts",
] as const satisfies (keyof DynamicTool)[];

export const NO_PARAMETERS = {
  parameters: { type: "object", properties: {} },
  dropped: [],
} as const;

/** Only the client runs a dynamic tool, so a run in the worker is a bug. */
export const dynamicToolBugMessage = (name: string): string =>
  `The dynamic tool "${name}" was run by the server. This is a bug in the server: only the client runs it.`;
