import { DomainError } from "@/contract/domain-error";
import type { Group, GroupsConfig, GroupsInput, GroupSummary } from "@/contract/group";
import type { ServerContext } from "@/server/context";
import { forgetGroups, readGroups, readGroupsConfig } from "@/server/db/group-reads";
import { changeGroups } from "@/server/db/setting-writes";
import { listServerTools } from "./list-tools";
import { requireOwner } from "./require-owner";

/** Reads the groups as they are declared. @throws {DomainError} `forbidden`. */
export const getGroups = async ({ db, actor }: ServerContext): Promise<GroupsConfig> => {
  requireOwner(actor);
  return readGroupsConfig(db);
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
  const config = await changeGroups(ctx.db, (before) => {
    if (version !== undefined && version !== before.version) throw changedMeanwhile();
    checkTools(groups, { before: before.groups, known });
    return groups;
  });
  forgetGroups(ctx.db);
  return config;
};

const changedMeanwhile = () =>
  new DomainError(
    "conflict",
    "Somebody else has changed the groups, so nothing was saved. Try again to apply your change to the new groups.",
    { shouldRetry: false },
  );

type KnownTools = { before: readonly Group[]; known: ReadonlySet<string> };

/** @throws {DomainError} `invalid` for a tool that neither the server nor the group before has. */
const checkTools = (groups: readonly Group[], { before, known }: KnownTools): void => {
  const names = new Set(groups.map(({ name }) => name));
  // A group that is renamed keeps its tools, and is one of those that are gone.
  const gone = before.filter(({ name }) => !names.has(name));
  const isKept = (group: string, tool: string): boolean => {
    const same = before.find(({ name }) => name === group);
    return (same ? [same] : gone).some(({ tools }) => tools.includes(tool));
  };
  const errors = groups.flatMap(({ name, tools }, group) =>
    tools.flatMap((tool, index) =>
      known.has(tool) || isKept(name, tool)
        ? []
        : [{ pointer: `/groups/${group}/tools/${index}`, message: `names no tool: "${tool}"` }],
    ),
  );
  if (errors.length === 0) return;
  throw new DomainError("invalid", "The server has no such tools. GET /tools lists those it has.", {
    errors,
  });
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
