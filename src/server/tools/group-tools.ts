import type { ChatDynamicTool } from "@/contract/dynamic-tool";
import { DomainError } from "@/contract/domain-error";
import type { Group } from "@/contract/group";
import { MAX_BODY_BYTES, MAX_DYNAMIC_TOOLS } from "@/contract/limits";

type ToolOwner = {
  groupNames: readonly string[];
  dynamicTools: readonly ChatDynamicTool[];
};

/** Dynamic tools that a chat takes from groups. */
type TakenTools = {
  /** All that the chat then has; undefined if it gets no group. */
  dynamicTools: ChatDynamicTool[] | undefined;
  /** A sentence for each whose name the chat has already. */
  warnings: readonly string[];
  /** Whether there is no room for all. */
  isOver: boolean;
};

/** Lists the dynamic tools that a chat is offered: its own, and those of the groups that it has now. */
export const listOfferedDynamicTools = ({
  groupNames,
  dynamicTools,
}: ToolOwner): ChatDynamicTool[] =>
  dynamicTools.filter(({ group }) => group === undefined || groupNames.includes(group));

/**
 * Copies the tools of the groups that a chat gets, so that a later change of a group does not change a chat that works with
 * it (docs/adr/0115-copy-the-dynamic-tools-of-a-group-into-the-chat.md). What the chat is offered already keeps its name.
 * Tools of a group that it had before stay for their open calls, and leave when another one takes the name.
 *
 * @param next the names of the groups that the chat then has.
 */
export const takeGroupTools = (
  chat: ToolOwner,
  next: readonly string[],
  groups: readonly Group[],
): TakenTools => {
  const chosen = next.filter((name) => !chat.groupNames.includes(name));
  if (chosen.length === 0) return NOTHING;
  const kept = chat.dynamicTools.filter(({ group }) => !chosen.includes(group ?? ""));
  const offered = listOfferedDynamicTools({ groupNames: next, dynamicTools: kept });
  const names = new Set(offered.map(({ name }) => name));
  const taken: ChatDynamicTool[] = [];
  const warnings: string[] = [];
  for (const tool of listTools(chosen, groups)) {
    if (names.has(tool.name)) warnings.push(toWarning(tool));
    else taken.push(tool);
    names.add(tool.name);
  }
  if (taken.length === 0 && kept.length === chat.dynamicTools.length) {
    return { ...NOTHING, warnings };
  }
  const rest = kept.filter((tool) => !names.has(tool.name));
  const all = [...offered, ...taken, ...rest];
  const end = Math.max(countWithinLimits(all), offered.length);
  const isOver = end < offered.length + taken.length;
  return { dynamicTools: all.slice(0, end), warnings, isOver };
};

/**
 * Replaces the dynamic tools that the client of a chat has declared. Those of its groups stay, unless one of these takes the name.
 *
 * @returns undefined if there is no room for all.
 */
export const replaceOwnTools = (
  chat: ToolOwner,
  own: readonly ChatDynamicTool[],
): ChatDynamicTool[] | undefined => {
  const names = new Set(own.map(({ name }) => name));
  const others = chat.dynamicTools.filter(
    ({ group, name }) => group !== undefined && !names.has(name),
  );
  const offered = listOfferedDynamicTools({ ...chat, dynamicTools: others });
  const needed = [...own, ...offered];
  return countWithinLimits(needed) < needed.length ? undefined : needed;
};

const NOTHING: TakenTools = { dynamicTools: undefined, warnings: [], isOver: false };

const listTools = (names: readonly string[], groups: readonly Group[]): ChatDynamicTool[] =>
  names.flatMap((group) => {
    const { dynamic_tools: tools = [] } = groups.find(({ name }) => name === group) ?? {};
    return tools.map((tool) => ({ ...tool, group }));
  });

const toWarning = ({ name, group }: ChatDynamicTool): string =>
  `The tool "${name}" of the group "${group}" is not offered: the chat has another one of this name.`;

/** @param pointer the field of the request that names the groups. */
export const tooManyGroupTools = (pointer: string): DomainError =>
  new DomainError(
    "invalid",
    `The chat would have too many tools of its own and of groups: at most ${MAX_DYNAMIC_TOOLS}, and ${MAX_BODY_BYTES} bytes.`,
    { errors: [{ pointer, message: "bring more tools than the chat has room for" }] },
  );

/** @returns how many a request may declare. */
const countWithinLimits = (tools: readonly ChatDynamicTool[]): number => {
  let bytes = 0;
  const end = tools.findIndex((tool, index) => {
    bytes += Buffer.byteLength(JSON.stringify(tool));
    return index >= MAX_DYNAMIC_TOOLS || bytes > MAX_BODY_BYTES;
  });
  return end < 0 ? tools.length : end;
};
