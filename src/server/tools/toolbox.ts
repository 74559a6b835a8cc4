import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { isDeepStrictEqual } from "node:util";
import type { AutoSubmit } from "@/contract/chat";
import type { ToolKind } from "@/contract/part";
import type { ToolModes } from "@/contract/tool";
import { memoizeByObject } from "@/lib/memoize-by-object";
import type { ToolScope } from "./tool-context";
import { findWithheldReason, type OfferedTool, type ToolSource } from "./tool-source";

/** The tools that one turn offers. */
export type Toolbox = {
  /** In a stable order, which keeps the provider's prompt cache warm. */
  definitions: LanguageModelV4FunctionTool[];
  /** A sentence for each tool, or part of its schema, that was left out. */
  warnings: string[];
  /** By name. */
  offered: ReadonlyMap<string, OfferedTool>;
  /** By the names of tools that are not offered: why, as a sentence. */
  withheld: ReadonlyMap<string, string>;
  /** Names of the offered tools that must be the only call of their batch. */
  exclusive: ReadonlySet<string>;
  /** Names of the offered tools whose every call needs an approval, as administrators have set it. */
  asksFirst: ReadonlySet<string>;
  /** Names of the offered tools whose success ends the turn. */
  stopsTurn: ReadonlySet<string>;
  /** Names of the offered tools whose calls are run again when their process has died. */
  repeatable: ReadonlySet<string>;
  /** What tools say on whether a turn goes on by itself after their calls, by name; also those that are not offered any more. */
  autoSubmit: ReadonlyMap<string, Partial<AutoSubmit>>;
  /** What the prompt says of offered tools, in their order. */
  systemPrompts: string[];
};

/** The tools of a source, and of each why it is not offered. */
type List = {
  source: ToolSource;
  tools: readonly OfferedTool[];
  reasons: readonly (string | undefined)[];
};

/** Toolboxes that are kept: those of chats that have chosen other tools. */
const MAX_RECENT = 16;

type Recent = { lists: readonly List[]; toolModes: ToolModes; toolbox: Toolbox };

const recentToolboxes = memoizeByObject<readonly ToolSource[], Recent[]>(() => []);

/**
 * Joins what the sources offer; a tool whose name is taken is left out. Lists are joined again only if they, or what is
 * offered of them, differ: with hundreds of tools, most turns would cost more.
 */
export const createToolbox = async (
  sources: readonly ToolSource[],
  scope: ToolScope,
): Promise<Toolbox> => {
  const lists = await Promise.all(
    sources.map(async (source): Promise<List> => {
      const tools = await source.listTools(scope);
      return { source, tools, reasons: tools.map((tool) => findWithheldReason(tool, scope)) };
    }),
  );
  const recent = recentToolboxes(sources);
  const { toolModes } = scope;
  const found = recent.find((one) => isEqual(one, lists, toolModes));
  if (found) return found.toolbox;
  const toolbox = joinLists(lists, scope);
  // Those of a chat's own tools are rarely needed again, and a name that is taken is logged in each turn.
  if (toolbox.warnings.length === 0 && scope.dynamicTools.length === 0) {
    recent.unshift({ lists, toolModes, toolbox });
    recent.splice(MAX_RECENT);
  }
  return toolbox;
};

const isEqual = (recent: Recent, lists: readonly List[], toolModes: ToolModes): boolean =>
  lists.every(({ tools, reasons }, index) => {
    const other = recent.lists[index];
    return (
      other?.tools === tools && reasons.every((reason, place) => reason === other.reasons[place])
    );
  }) && isDeepStrictEqual(recent.toolModes, toolModes);

const joinLists = (lists: readonly List[], scope: ToolScope): Toolbox => {
  const owners = new Map<string, ToolSource>();
  const offered = new Map<string, OfferedTool>();
  const withheld = new Map<string, string>();
  const warnings: string[] = [];
  const autoSubmit = new Map<string, Partial<AutoSubmit>>();
  for (const { source, tools, reasons } of lists) {
    for (const name of source.reservedNames) setOwner(owners, name, source);
    for (const [index, tool] of tools.entries()) {
      const reason = reasons[index];
      // A tool that is off keeps its name, so that no other one answers to it in the middle of a chat.
      const owner = setOwner(owners, tool.name, source);
      if (owner === source && tool.kind !== "dynamic" && tool.autoSubmit) {
        autoSubmit.set(tool.name, tool.autoSubmit);
      }
      if (reason !== undefined && owner === source) {
        withheld.set(tool.name, reason);
        continue;
      }
      if (owner === source && !offered.has(tool.name)) offered.set(tool.name, tool);
      else {
        warnings.push(collisionWarning(tool.name, owner.kind));
        scope.log.warn({ tool: tool.name, kind: tool.kind }, "tool left out: its name is taken");
      }
    }
  }
  const tools = [...offered.values()];
  warnings.push(...tools.flatMap((tool) => (tool.kind === "dynamic" ? tool.warnings : [])));
  const executed = tools.filter((tool) => tool.kind !== "dynamic");
  return {
    definitions: tools.map(toolDefinition),
    warnings,
    offered,
    withheld,
    asksFirst: new Set(
      executed.map(({ name }) => name).filter((name) => scope.toolModes[name] === "ask"),
    ),
    exclusive: new Set(executed.filter(({ exclusive }) => exclusive).map(({ name }) => name)),
    stopsTurn: new Set(executed.filter(({ stopsTurn }) => stopsTurn).map(({ name }) => name)),
    repeatable: new Set(executed.filter(({ repeatable }) => repeatable).map(({ name }) => name)),
    autoSubmit,
    systemPrompts: executed.flatMap(({ systemPrompt }) => systemPrompt ?? []),
  };
};

/** @returns the source that owns the name, which is the first that claimed it. */
const setOwner = (
  owners: Map<string, ToolSource>,
  name: string,
  source: ToolSource,
): ToolSource => {
  const owner = owners.get(name) ?? source;
  owners.set(name, owner);
  return owner;
};

const OWNER = {
  builtin: "a built-in tool",
  recipe: "a recipe tool",
  mcp: "a tool of an MCP server",
  toolset: "a tool of a toolset",
  provider: "the model provider's own tools",
  dynamic: "a dynamic tool before it",
} as const satisfies Record<ToolKind, string>;

const collisionWarning = (name: string, owner: ToolKind): string =>
  `The tool "${name}" is not offered: the name belongs to ${OWNER[owner]}.`;

const toolDefinition = (tool: OfferedTool): LanguageModelV4FunctionTool => {
  const { name, description, parameters } = tool;
  const example = tool.kind === "dynamic" ? undefined : tool.example;
  return {
    type: "function",
    name,
    ...(description !== undefined && { description }),
    inputSchema: parameters,
    // Only the XML protocol reads it; as one of `inputExamples`, it would be part of native requests.
    ...(example && { providerOptions: { parley: { example } } }),
  };
};
