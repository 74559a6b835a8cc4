import type { AgentType, AgentTypesConfig, AgentTypesInput } from "@/contract/agent-type";
import { DomainError } from "@/contract/domain-error";
import type { FieldError } from "@/contract/problem";
import type { ServerContext } from "@/server/context";
import {
  agentTypeSetting,
  readAgentTypes,
  withShippedTypes,
} from "@/server/db/settings/agent-type-reads";
import { listModels } from "@/server/db/settings/model-reads";
import { changeSetting } from "@/server/db/settings/setting-writes";
import { listExploreTools } from "@/server/tools/tool";
import { findRefusedTools, namesNoTool, requireVersion } from "./declared-lists";
import { listServerTools } from "./list-tools";
import { requireOwner } from "./require-owner";

/** Reads the agent types as they are declared. @throws {DomainError} `forbidden`. */
export const getAgentTypes = async (ctx: ServerContext): Promise<AgentTypesConfig> => {
  requireOwner(ctx.actor);
  return readAgentTypes(ctx.db, listExploreTools(await listServerTools(ctx)));
};

/**
 * Replaces all agent types, for children that are spawned later. A tool or model that a type had before may be missing
 * by now.
 *
 * @throws {DomainError} `forbidden`; `invalid` for a tool that children cannot have, or a model that does not exist;
 *   `conflict` for agent types of an older version.
 */
export const setAgentTypes = async (
  ctx: ServerContext,
  { agent_types, version }: AgentTypesInput,
): Promise<AgentTypesConfig> => {
  requireOwner(ctx.actor);
  // Before the transaction, as the embedded database has one connection.
  const [tools, models] = await Promise.all([listServerTools(ctx), listModels(ctx.db)]);
  const isRootOnly = new Map(tools.map(({ name, rootOnly }) => [name, rootOnly]));
  const config = await changeSetting(ctx.db, agentTypeSetting, (saved) => {
    const before = withShippedTypes(saved, listExploreTools(tools));
    requireVersion(before, version, "agent types");
    const errors = [
      ...findRefusedTools(agent_types, {
        before: before.agent_types,
        refuse: (tool) => refuseTool(tool, isRootOnly.get(tool)),
        place: "/agent_types",
      }),
      ...findUnknownModels(agent_types, [
        ...models.map(({ id }) => id),
        ...before.agent_types.map(({ model_id }) => model_id),
      ]),
    ];
    if (errors.length > 0) throw unusableTypes(errors);
    return { agent_types };
  });
  ctx.cached.agentTypes.forget();
  return config;
};

/** @param isRootOnly undefined for a name that no tool has. */
const refuseTool = (tool: string, isRootOnly: boolean | undefined): string | undefined => {
  if (isRootOnly === undefined) return namesNoTool(tool);
  return isRootOnly ? `names a tool that child chats cannot use: "${tool}"` : undefined;
};

const findUnknownModels = (
  types: readonly AgentType[],
  known: readonly (string | null)[],
): FieldError[] =>
  types.flatMap(({ model_id }, position) =>
    model_id === null || known.includes(model_id)
      ? []
      : [{ pointer: `/agent_types/${position}/model_id`, message: "names no model" }],
  );

const unusableTypes = (errors: FieldError[]): DomainError =>
  new DomainError(
    "invalid",
    "An agent type names a tool or a model that its children cannot have. GET /tools and GET /models list those of the server.",
    { errors },
  );
