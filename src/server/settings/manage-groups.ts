import { DomainError } from "@/contract/domain-error";
import type { GroupsConfig, GroupsInput, GroupSummary } from "@/contract/group";
import type { FieldError } from "@/contract/problem";
import type { ServerContext } from "@/server/context";
import { groupSetting, readGroups } from "@/server/db/settings/group-reads";
import { changeSetting } from "@/server/db/settings/setting-writes";
import { findRefusedTools, namesNoTool, requireVersion } from "./declared-lists";
import { listServerTools } from "./list-tools";
import { requireOwner } from "./require-owner";

/** Reads the groups as they are declared. @throws {DomainError} `forbidden`. */
export const getGroups = async ({ db, actor }: ServerContext): Promise<GroupsConfig> => {
  requireOwner(actor);
  return groupSetting.read(db);
};

/**
 * Replaces all groups, for the next turns of all chats. A tool that a group had before may be missing by now.
 *
 * @throws {DomainError} `forbidden`; `invalid` for a name that no tool has; `conflict` for groups of an older version.
 */
export const setGroups = async (
  ctx: ServerContext,
  { groups, version }: GroupsInput,
): Promise<GroupsConfig> => {
  requireOwner(ctx.actor);
  // Before the transaction, as the embedded database has one connection.
  const known = await listToolNames(ctx);
  const config = await changeSetting(ctx.db, groupSetting, (before) => {
    requireVersion(before, version, "groups");
    const errors = findRefusedTools(groups, {
      before: before.groups,
      refuse: (tool) => (known.has(tool) ? undefined : namesNoTool(tool)),
      place: "/groups",
    });
    if (errors.length > 0) throw unknownTools(errors);
    return { groups };
  });
  ctx.cached.groups.forget();
  return config;
};

const unknownTools = (errors: FieldError[]): DomainError =>
  new DomainError("invalid", "The server has no such tools. GET /tools lists those it has.", {
    errors,
  });

/** Lists the groups that a chat may choose. */
export const listGroups = async (ctx: ServerContext): Promise<GroupSummary[]> => {
  const [known, groups] = await Promise.all([listToolNames(ctx), readGroups(ctx.db)]);
  return groups.map(({ name, description, tools }) => ({
    name,
    description,
    tools,
    missing_tools: tools.filter((tool) => !known.has(tool)),
  }));
};

const listToolNames = async (ctx: ServerContext): Promise<ReadonlySet<string>> =>
  new Set((await listServerTools(ctx)).map(({ name }) => name));
