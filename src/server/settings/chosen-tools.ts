import { DomainError } from "@/contract/domain-error";
import type { Group, Mentions } from "@/contract/group";
import type { FieldError } from "@/contract/problem";
import type { ServerContext } from "@/server/context";
import { requireAllowedTool } from "@/server/credential-rights";
import { readGroups } from "@/server/db/settings/group-reads";
import type { ChatRow } from "@/server/db/chats/rows";
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
): Set<string> | null =>
  toolNames === null && groupNames.length === 0
    ? null
    : new Set([...(toolNames ?? []), ...chosenGroups.flatMap(({ tools }) => tools)]);

/** What can be chosen. */
type Choosable = { tools: readonly string[]; groups: readonly Group[] };

const NOTHING: Choosable = { tools: [], groups: [] };

/**
 * Reads the tools and groups that a choice may name; nothing for a choice without names.
 *
 * @throws {DomainError} `forbidden` for a tool that the key is not for.
 */
export const readChoosable = async (
  ctx: ServerContext,
  { toolNames, groupNames = [] }: ToolChoice,
): Promise<Choosable> => {
  if ((toolNames ?? []).length === 0 && groupNames.length === 0) return NOTHING;
  const [tools, groups] = await Promise.all([listServerTools(ctx), readGroups(ctx.db)]);
  for (const toolName of toolNames ?? []) {
    const kind = tools.find(({ name }) => name === toolName)?.kind;
    requireAllowedTool(ctx.actor, { toolName, ...(kind && { kind }) });
  }
  return { tools: tools.map(({ name }) => name), groups };
};

/**
 * Refuses a message that mentions what the server does not have.
 *
 * @throws {DomainError} `invalid`, with the place of each name.
 */
export const requireMentioned = async (
  ctx: ServerContext,
  { tools, groups }: Mentions = { tools: [], groups: [] },
): Promise<void> => {
  await requireChosen(ctx, { toolNames: tools, groupNames: groups }, "/mentions");
};

/**
 * Refuses names that no tool, or no group, of the server has.
 *
 * @param place the pointer of what has the names.
 * @returns the groups of the server, if the choice has names.
 * @throws {DomainError} `invalid`, with the place of each name.
 */
export const requireChosen = async (
  ctx: ServerContext,
  choice: ToolChoice,
  place = "",
): Promise<readonly Group[]> => {
  const { tools, groups } = await readChoosable(ctx, choice);
  checkNames(choice, { known: { tools, groups: listGroupNames(groups) }, place });
  return groups;
};

const listGroupNames = (groups: readonly Group[]): string[] => groups.map(({ name }) => name);

/**
 * Does the same for a chat that changes its choice.
 *
 * @param chat names that it has already stay valid, so that others can be removed.
 * @throws {DomainError} `invalid`, with the place of each name.
 */
export const checkChoice = (
  choice: ToolChoice,
  { tools, groups }: Choosable,
  chat: ChosenNames,
): void =>
  checkNames(choice, {
    known: {
      tools: [...tools, ...(chat.toolNames ?? [])],
      groups: [...listGroupNames(groups), ...chat.groupNames],
    },
    place: "",
  });

type KnownNames = { tools: readonly string[]; groups: readonly string[] };

/** @param place the pointer of what has the names. */
const checkNames = (
  { toolNames, groupNames }: ToolChoice,
  { known, place }: { known: KnownNames; place: string },
): void => {
  const tools = findUnknown(toolNames ?? [], known.tools);
  const groups = findUnknown(groupNames ?? [], known.groups);
  if (tools.length + groups.length === 0) return;
  const what = [...nameUnknown("tool", tools), ...nameUnknown("group", groups)];
  throw new DomainError("invalid", `The server has ${what.join(", and ")}.`, {
    errors: [
      ...toErrors("tool", tools, `${place}/tools`),
      ...toErrors("group", groups, `${place}/groups`),
    ],
  });
};

type UnknownName = { name: string; index: number };

const findUnknown = (names: readonly string[], knownNames: readonly string[]): UnknownName[] => {
  const known = new Set(knownNames);
  return names.flatMap((name, index) => (known.has(name) ? [] : [{ name, index }]));
};

const nameUnknown = (kind: string, [first, ...others]: readonly UnknownName[]): string[] => {
  if (!first) return [];
  return [`no ${kind} "${first.name}"${others.length > 0 ? ` and ${others.length} more` : ""}`];
};

const toErrors = (kind: string, unknown: readonly UnknownName[], place: string): FieldError[] =>
  unknown.map(({ name, index }) => ({
    pointer: `${place}/${index}`,
    message: `names no ${kind}: "${name}"`,
  }));
