import { findToolGuide } from "@/contract/builtin-tools";
import type { JsonObject } from "@/contract/json";
import { DomainError } from "@/contract/domain-error";
import type { SetToolModeInput, Tool, ToolModes } from "@/contract/tool";
import type { Actor, ServerContext } from "@/server/context";
import { advisorSetting, readToolModes } from "@/server/db/settings/setting-reads";
import { writeToolMode } from "@/server/db/settings/setting-writes";
import { log } from "@/server/log";
import type { Tool as ServerTool } from "@/server/tools/tool";
import type { ToolScope } from "@/server/tools/tool-context";
import { findWithheldReason, type OfferedTool } from "@/server/tools/tool-source";
import { requireOwner } from "./require-owner";

/** What a new root chat is offered with everything turned on. */
export const createScope = ({ userId }: Actor, chatId: string): ToolScope => ({
  chatId,
  rootChatId: chatId,
  userId,
  isRoot: true,
  hasAdvisor: true,
  dynamicTools: [],
  toolNames: null,
  toolModes: {},
  log: log(),
});

/** Lists all tools of the server by name, and why those are not offered that are not. */
export const listTools = async (ctx: ServerContext): Promise<Tool[]> => {
  const [toolModes, { enabled: hasAdvisor }, tools] = await Promise.all([
    readToolModes(ctx.db),
    advisorSetting.read(ctx.db),
    listServerTools(ctx),
  ]);
  const scope = { ...createScope(ctx.actor, ctx.newId()), toolModes, hasAdvisor };
  return tools.map((tool) => {
    // What keeps it from chats that have chosen it.
    const toolNames = tool.isForChosen ? new Set([tool.name]) : null;
    return toWireTool(tool, toolModes, findWithheldReason(tool, { ...scope, toolNames }));
  });
};

/**
 * Sets how a tool is offered, from the next step of any chat on.
 *
 * @throws {DomainError} `forbidden`, `not_found`.
 */
export const setToolMode = async (
  ctx: ServerContext,
  { name, mode }: SetToolModeInput,
): Promise<Tool> => {
  requireOwner(ctx.actor);
  const exists = (await listServerTools(ctx)).some((tool) => tool.name === name);
  if (!exists) throw unknownTool(name);
  await writeToolMode(ctx.db, name, mode);
  const changed = (await listTools(ctx)).find((tool) => tool.name === name);
  if (!changed) throw unknownTool(name);
  return changed;
};

const unknownTool = (name: string): DomainError =>
  new DomainError("not_found", `The server has no tool "${name}". GET /tools lists those it has.`);

/** Lists the tools that the server runs, those that are not offered too. */
export const listServerTools = async ({ toolSources, actor, newId }: ServerContext) => {
  const scope = createScope(actor, newId());
  const lists = await Promise.all(toolSources.map(async ({ listTools: list }) => list(scope)));
  return lists.flat().filter(isServerTool);
};

const isServerTool = (tool: OfferedTool): tool is ServerTool => tool.kind !== "dynamic";

const toWireTool = (tool: ServerTool, modes: ToolModes, reason: string | undefined): Tool => {
  const { name, kind, description, rootOnly, readOnly, approvalPattern, asksEachTime, card } = tool;
  const { isForChosen = false } = tool;
  const guide = findToolGuide({ name, source: kind, description, read_only: readOnly });
  const notice = tool.notice();
  return {
    name,
    source: kind,
    description,
    input_schema: tool.parameters as JsonObject,
    mode: modes[name] ?? "on",
    offered: reason === undefined && !isForChosen,
    ...(isForChosen && { for_chosen: true }),
    root_only: rootOnly,
    read_only: !guide.isChanging,
    ...(reason !== undefined && { reason }),
    ...(notice !== undefined && { notice }),
    ...(approvalPattern !== undefined && { approval_pattern: approvalPattern }),
    ...(asksEachTime === true && { asks_each_time: true }),
    ...(card && { card }),
  };
};
