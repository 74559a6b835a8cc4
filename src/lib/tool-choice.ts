import type { Mentionable } from "./mentions";

/** What a chat has chosen, as its record has it. */
export type ToolChoice = { tools: readonly string[] | null; groups: readonly string[] };

/** A choice as requests send it. */
export type SentChoice = { tools: string[] | null; groups: string[] };

type Named = Pick<Mentionable, "kind" | "name">;

/** Adds tools and groups to a choice; undefined when it has them all. */
export const addToChoice = (
  { tools, groups }: ToolChoice,
  added: readonly Named[],
): SentChoice | undefined => {
  const nextTools = [...new Set([...(tools ?? []), ...listNames(added, "tool")])];
  const nextGroups = [...new Set([...groups, ...listNames(added, "group")])];
  if (nextTools.length === (tools ?? []).length && nextGroups.length === groups.length) {
    return undefined;
  }
  return { tools: toChosenTools(tools, nextTools), groups: nextGroups };
};

/** Removes a tool or a group from a choice. Without any it is that of all tools, unless a client has chosen none. */
export const removeFromChoice = ({ tools, groups }: ToolChoice, removed: Named): SentChoice => {
  const isKept = (kind: Named["kind"]) => (name: string) =>
    removed.kind !== kind || removed.name !== name;
  const nextTools = (tools ?? []).filter(isKept("tool"));
  return {
    tools: toChosenTools(tools, nextTools),
    groups: groups.filter(isKept("group")),
  };
};

const toChosenTools = (before: ToolChoice["tools"], next: string[]): string[] | null =>
  next.length === 0 && before?.length !== 0 ? null : next;

/** Lists the names of one kind. */
export const listNames = (named: readonly Named[], kind: Named["kind"]): string[] =>
  named.filter((one) => one.kind === kind).map(({ name }) => name);

/** Lists what a choice consists of. A name that is not known any more says so, if the known ones are loaded. */
export const listChosen = (
  { tools, groups }: ToolChoice,
  known: readonly Mentionable[] | undefined,
): Mentionable[] => {
  const find = (kind: Named["kind"], name: string): Mentionable =>
    known?.find((one) => one.kind === kind && one.name === name) ?? {
      kind,
      name,
      description: "",
      isOffered: false,
      problem: known && `The server has no ${kind} “${name}” any more.`,
    };
  return [
    ...groups.map((name) => find("group", name)),
    ...(tools ?? []).map((name) => find("tool", name)),
  ];
};
