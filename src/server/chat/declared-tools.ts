import type { DynamicTool } from "@/contract/dynamic-tool";
import { MAX_WARNINGS } from "@/contract/limits";
import type { ServerContext } from "@/server/context";
import { requireAllowedTool } from "@/server/credential-rights";
import type { ChatRow } from "@/server/db/chats/rows";
import { findDefaultModel, listModels } from "@/server/db/settings/model-reads";
import { limitTools } from "@/server/model/limit-tools";
import { requireCallerTools } from "@/server/settings/caller-tools";
import { requireChosen } from "@/server/settings/chosen-tools";
import { createScope } from "@/server/settings/list-tools";
import { takeGroupTools, tooManyGroupTools } from "@/server/tools/group-tools";
import { createToolbox, type Toolbox } from "@/server/tools/toolbox";

/** What a request says of the tools of a chat. */
type DeclaredTools = {
  dynamicTools?: DynamicTool[] | undefined;
  toolNames?: string[] | undefined;
  groupNames?: string[] | undefined;
  modelId?: string | undefined;
};

/** The dynamic tools of a new chat: those that the client declares, and those of its groups. */
export const takeTools = async (
  ctx: ServerContext,
  chatId: string,
  input: DeclaredTools,
): Promise<Pick<ChatRow, "dynamicTools" | "warnings">> => {
  const { dynamicTools: own = [], groupNames = [], toolNames = [] } = input;
  await requireDeclarable(ctx, own);
  if (own.length + groupNames.length + toolNames.length === 0) {
    return { dynamicTools: [], warnings: [] };
  }
  const groups = await requireChosen(ctx, input);
  const before = { groupNames: [], dynamicTools: own };
  const { dynamicTools = own, warnings, isOver } = takeGroupTools(before, groupNames, groups);
  if (isOver) throw tooManyGroupTools("/groups");
  const others = await listToolWarnings(ctx, chatId, { ...input, dynamicTools });
  return { dynamicTools, warnings: limitWarnings([...warnings, ...others]) };
};

/**
 * Checks the tools that a client declares for a chat that exists.
 *
 * @returns a sentence for each tool, or part of one, that is not offered.
 * @throws {DomainError} `forbidden` for a tool that the key is not for.
 */
export const checkDeclared = async (
  ctx: ServerContext,
  { chatId, dynamicTools, modelId }: DeclaredTools & { chatId: string },
): Promise<string[] | undefined> => {
  if (!dynamicTools) return undefined;
  await requireDeclarable(ctx, dynamicTools);
  return limitWarnings(await listToolWarnings(ctx, chatId, { dynamicTools, modelId }));
};

/** @throws {DomainError} `forbidden` for a tool that the key is not for, and while callers may declare none. */
const requireDeclarable = async (
  ctx: ServerContext,
  tools: readonly DynamicTool[],
): Promise<void> => {
  for (const { name } of tools) requireAllowedTool(ctx.actor, { toolName: name });
  if (tools.length > 0) await requireCallerTools(ctx);
};

/** Returns a sentence for each dynamic tool, or part of one, that is not offered. */
const listToolWarnings = async (
  ctx: ServerContext,
  chatId: string,
  { dynamicTools, modelId }: Pick<DeclaredTools, "modelId"> & Pick<ChatRow, "dynamicTools">,
): Promise<string[]> => {
  if (dynamicTools.length === 0) return [];
  const scope = createScope(ctx.actor, chatId);
  const toolbox = await createToolbox(ctx.toolSources, { ...scope, dynamicTools });
  const cut = await findCutWarning(ctx, toolbox, modelId);
  return cut === undefined ? toolbox.warnings : [cut, ...toolbox.warnings];
};

const limitWarnings = (warnings: string[]): string[] => {
  const more = warnings.length - MAX_WARNINGS;
  return more > 0
    ? [...warnings.slice(0, MAX_WARNINGS), `${more} more parts of tools are not offered.`]
    : warnings;
};

/** No provider has a lower limit, so that few chats need their model read. */
const MIN_LIMITED_TOOLS = 128;

const findCutWarning = async (
  { db }: ServerContext,
  { definitions, offered }: Toolbox,
  modelId: string | undefined,
): Promise<string | undefined> => {
  if (definitions.length <= MIN_LIMITED_TOOLS) return undefined;
  const models = await listModels(db);
  const model = models.find(({ id }) => id === modelId) ?? findDefaultModel(models);
  const isMcp = (name: string): boolean => offered.get(name)?.kind === "mcp";
  return model && limitTools(definitions, { ...model, isMcp }).warning;
};
