import { DomainError } from "@/contract/domain-error";
import type { Group, GroupsConfig, GroupsInput, GroupSummary } from "@/contract/group";
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
 * @throws {DomainError} `forbidden`; `invalid` for a name that no tool has, or a dynamic tool with that of another; `conflict` for groups of an older version.
 */
export const setGroups = async (
  ctx: ServerContext,
  { groups, version }: GroupsInput,
): Promise<GroupsConfig> => {
  requireOwner(ctx.actor);
  // Before the transaction, as the embedded database has one connection.
  const known = await listToolNames(ctx);
  const reserved = new Set(ctx.toolSources.flatMap(({ reservedNames }) => reservedNames));
  const config = await changeSetting(ctx.db, groupSetting, (before) => {
    requireVersion(before, version, "groups");
    const errors = findRefusedTools(groups, {
      before: before.groups,
      refuse: (tool) => (known.has(tool) ? undefined : namesNoTool(tool)),
      place: "/groups",
    });
    if (errors.length > 0) throw unknownTools(errors);
    const taken = findTakenNames(groups, before.groups, new Set([...known, ...reserved]));
    if (taken.length > 0) throw takenNames(taken);
    return { groups };
  });
  ctx.cached.groups.forget();
  return config;
};

const unknownTools = (errors: FieldError[]): DomainError =>
  new DomainError("invalid", "The server has no such tools. GET /tools lists those it has.", {
    errors,
  });

/** Finds the dynamic tools that have the name of a tool of the server, and that no group has had before. */
const findTakenNames = (
  groups: readonly Group[],
  before: readonly Group[],
  taken: ReadonlySet<string>,
): FieldError[] => {
  const kept = new Set(before.flatMap((group) => group.dynamic_tools.map(({ name }) => name)));
  return groups.flatMap(({ dynamic_tools: tools }, position) =>
    tools.flatMap(({ name }, index) =>
      taken.has(name) && !kept.has(name)
        ? [
            {
              pointer: `/groups/${position}/dynamic_tools/${index}/name`,
              message: `is the name of a tool of the server: "${name}"`,
            },
          ]
        : [],
    ),
  );
};

const takenNames = (errors: FieldError[]): DomainError =>
  new DomainError(
    "invalid",
    `A tool of a group ${errors.map(({ message }) => message).join(", and one ")}. Give it another name.`,
    { errors },
  );

/** Lists the groups that a chat may choose. */
export const listGroups = async (ctx: ServerContext): Promise<GroupSummary[]> => {
  const [known, groups] = await Promise.all([listToolNames(ctx), readGroups(ctx.db)]);
  return groups.map(({ name, description, tools, dynamic_tools: dynamic }) => ({
    name,
    description,
    tools,
    dynamic_tools: dynamic.map((tool) => tool.name),
    missing_tools: tools.filter((tool) => !known.has(tool)),
  }));
};

const listToolNames = async (ctx: ServerContext): Promise<ReadonlySet<string>> =>
  new Set((await listServerTools(ctx)).map(({ name }) => name));
