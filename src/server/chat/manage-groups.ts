import { DomainError } from "@/contract/domain-error";
import type { GroupsConfig, GroupSummary } from "@/contract/group";
import type { ServerContext } from "@/server/context";
import { forgetGroups, readGroups } from "@/server/db/group-reads";
import { writeGroups } from "@/server/db/setting-writes";
import { listServerTools } from "./list-tools";
import { requireOwner } from "./require-owner";

/** Reads the groups as they are declared. @throws {DomainError} `forbidden`. */
export const getGroups = async ({ db, actor }: ServerContext): Promise<GroupsConfig> => {
  requireOwner(actor);
  return { groups: [...(await readGroups(db))] };
};

/**
 * Replaces all groups, for the next turns of all chats. A tool that a group had before may be missing by now.
 *
 * @throws {DomainError} `forbidden`; `invalid` for a name that no tool has.
 */
export const setGroups = async (
  ctx: ServerContext,
  config: GroupsConfig,
): Promise<GroupsConfig> => {
  requireOwner(ctx.actor);
  const [known, before] = await Promise.all([listToolNames(ctx), readGroups(ctx.db)]);
  const kept = new Map(before.map(({ name, tools }) => [name, new Set(tools)]));
  const errors = config.groups.flatMap(({ name, tools }, group) =>
    tools.flatMap((tool, index) =>
      known.has(tool) || kept.get(name)?.has(tool)
        ? []
        : [{ pointer: `/groups/${group}/tools/${index}`, message: `names no tool: "${tool}"` }],
    ),
  );
  if (errors.length > 0) {
    throw new DomainError(
      "invalid",
      "The server has no such tools. GET /tools lists those it has.",
      { errors },
    );
  }
  await writeGroups(ctx.db, config);
  forgetGroups(ctx.db);
  return config;
};

/** Lists the groups that a chat may choose. */
export const listGroups = async (ctx: ServerContext): Promise<GroupSummary[]> => {
  const [known, groups] = await Promise.all([listToolNames(ctx), readGroups(ctx.db)]);
  return groups.map(({ name, description, tools }) => ({
    ...{ name, description, tools },
    missing_tools: tools.filter((tool) => !known.has(tool)),
  }));
};

const listToolNames = async (ctx: ServerContext): Promise<ReadonlySet<string>> =>
  new Set((await listServerTools(ctx)).map(({ name }) => name));
