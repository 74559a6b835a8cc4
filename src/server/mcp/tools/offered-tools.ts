import type { Tool as ServerTool } from "@modelcontextprotocol/client";
import type { JSONSchema7 } from "@ai-sdk/provider";
import type { JsonObject } from "@/contract/json";
import { validateJson } from "@/contract/json";
import { MAX_TOOL_SCHEMA_BYTES, MAX_TOOL_SCHEMA_DEPTH } from "@/contract/limits";
import { describeDropped } from "@/server/tools/dropped-parts";
import {
  createInliningBudget,
  type DroppedPart,
  type InliningBudget,
  toToolParameters,
} from "@/server/tools/tool-parameters";
import { toToolName } from "./tool-name";

/** A tool of a server as models get it. */
export type OfferedMcpTool = {
  /** The name by which models call it. */
  name: string;
  /** The name that the server has given it. */
  tool: string;
  description: string;
  parameters: JSONSchema7;
  /** The schema of its arguments. */
  argumentsSchema: JsonObject;
  /** Whether the server says that a call changes nothing that matters. */
  isHarmless: boolean;
  /** Whether the server says that it changes nothing at all. */
  isReadOnly: boolean;
};

export type OfferedMcpTools = {
  tools: readonly OfferedMcpTool[];
  /** A sentence for each tool, or part of its schema, that was left out. */
  notices: readonly string[];
};

/** Far more than a model can choose from, and than providers accept. */
const MAX_SERVER_TOOLS = 500;
/** Longest description, in UTF-16 units, as in a dynamic tool. */
const MAX_DESCRIPTION_LENGTH = 10_000;
const MAX_NOTICES = 20;
/** Longest part of a name from outside in a sentence. */
const MAX_SHOWN_LENGTH = 100;

/** Converts what a server lists to tools for models, sorted by name; what cannot be one is left out. */
export const toOfferedTools = (server: string, listed: readonly ServerTool[]): OfferedMcpTools => {
  const budget = createInliningBudget();
  const tools = new Map<string, OfferedMcpTool>();
  const notices: string[] = [];
  for (const tool of listed.slice(0, MAX_SERVER_TOOLS)) {
    const name = toToolName(server, tool.name);
    const problem = tools.has(name) ? "the server has another one of this name" : findProblem(tool);
    if (problem !== undefined) {
      notices.push(`The tool ${quote(tool.name)} is not offered: ${problem}.`);
      continue;
    }
    const { offered, dropped } = toOfferedTool(name, tool, budget);
    tools.set(name, offered);
    notices.push(...describeDropped(dropped, { tool: name, at: "/inputSchema" }));
  }
  const omitted = listed.length - MAX_SERVER_TOOLS;
  if (omitted > 0) {
    notices.unshift(
      `The server has ${listed.length} tools: the first ${MAX_SERVER_TOOLS} are offered.`,
    );
  }
  return {
    tools: [...tools.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    notices: notices.slice(0, MAX_NOTICES),
  };
};

const findProblem = ({ inputSchema }: ServerTool): string | undefined => {
  const problem = validateJson(inputSchema, MAX_TOOL_SCHEMA_DEPTH);
  if (problem !== undefined) return `its schema ${problem}`;
  return Buffer.byteLength(JSON.stringify(inputSchema)) > MAX_TOOL_SCHEMA_BYTES
    ? `its schema is over ${MAX_TOOL_SCHEMA_BYTES} bytes`
    : undefined;
};

const toOfferedTool = (
  name: string,
  { name: tool, title, description, inputSchema, annotations }: ServerTool,
  budget: InliningBudget,
): { offered: OfferedMcpTool; dropped: readonly DroppedPart[] } => {
  const schema = inputSchema as JsonObject;
  const { parameters, dropped } = toToolParameters(schema, budget);
  const offered = {
    name,
    tool,
    description: (description ?? annotations?.title ?? title ?? tool)
      .slice(0, MAX_DESCRIPTION_LENGTH)
      .toWellFormed(),
    parameters: parameters as JSONSchema7,
    argumentsSchema: schema,
    isHarmless: annotations?.readOnlyHint === true || annotations?.destructiveHint === false,
    isReadOnly: annotations?.readOnlyHint === true,
  };
  return { offered, dropped };
};

const quote = (name: string): string =>
  JSON.stringify(name.length > MAX_SHOWN_LENGTH ? `${name.slice(0, MAX_SHOWN_LENGTH)}…` : name);
