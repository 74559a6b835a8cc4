import { DomainError } from "@/contract/domain-error";
import type { Group } from "@/contract/group";
import type { FieldError } from "@/contract/problem";
import type { ServerContext } from "@/server/context";
import { readGroups } from "@/server/db/group-reads";
import type { ChatRow } from "@/server/db/rows";
import { listServerTools } from "./list-tools";

/** What a client chooses for a chat: undefined for what stays, null for all tools. */
export type ToolChoice = {
  toolNames?: readonly string[] | null | undefined;
  groupNames?: readonly string[] | undefined;
};

type ChosenNames = Pick<ChatRow, "toolNames" | "groupNames">;

/** The groups that a chat has chosen, in its order, without those that do not exist any more. */
export const findChosenGroups = (
  { groupNames }: Pick<ChatRow, "groupNames">,
  groups: readonly Group[],
): Group[] => groupNames.flatMap((name) => groups.find((group) => group.name === name) ?? []);

/**
 * Lists the names of tools that a chat may use, null for all. A chosen group without tools, or one that is gone,
 * does not make it all.
 */
export const listChosenTools = (
  { toolNames, groupNames }: ChosenNames,
  chosenGroups: readonly Group[],
): string[] | null =>
  toolNames === null && groupNames.length === 0
    ? null
    : [...new Set([...(toolNames ?? []), ...chosenGroups.flatMap(({ tools }) => tools)])];

/** The names that can be chosen. */
type KnownNames = { tools: readonly string[]; groups: readonly string[] };

const NO_NAMES: KnownNames = { tools: [], groups: [] };

/** Reads the names that a choice may have; nothing for a choice without names. */
export const readKnownNames = async (
  ctx: ServerContext,
  { toolNames, groupNames = [] }: ToolChoice,
): Promise<KnownNames> => {
  if ((toolNames ?? []).length === 0 && groupNames.length === 0) return NO_NAMES;
  const [tools, groups] = await Promise.all([listServerTools(ctx), readGroups(ctx.db)]);
  return {
    tools: tools.map(({ name }) => name),
    groups: groups.map(({ name }) => name),
  };
};

const NOTHING_CHOSEN: ChosenNames = { toolNames: null, groupNames: [] };

/**
 * Refuses names that no tool, or no group, of the server has.
 *
 * @param chat names that it has already stay valid, so that others can be removed.
 * @throws {DomainError} `invalid`, with the place of each name.
 */
export const checkChoice = (
  { toolNames, groupNames }: ToolChoice,
  known: KnownNames,
  chat: ChosenNames = NOTHING_CHOSEN,
): void => {
  const errors = [
    ...findUnknown("tool", toolNames ?? [], [...known.tools, ...(chat.toolNames ?? [])]),
    ...findUnknown("group", groupNames ?? [], [...known.groups, ...chat.groupNames]),
  ];
  if (errors.length === 0) return;
  const [{ pointer }] = errors as [FieldError];
  const what = pointer.startsWith("/tools/") ? "tools" : "groups";
  throw new DomainError(
    "invalid",
    `The server has no such ${what}. GET /${what} lists those it has.`,
    { errors },
  );
};

const findUnknown = (
  kind: "tool" | "group",
  names: readonly string[],
  knownNames: readonly string[],
): FieldError[] => {
  const known = new Set(knownNames);
  return names.flatMap((name, index) =>
    known.has(name)
      ? []
      : [{ pointer: `/${kind}s/${index}`, message: `names no ${kind}: "${name}"` }],
  );
};
