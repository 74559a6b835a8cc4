import { DomainError } from "@/contract/domain-error";
import type { FieldError } from "@/contract/problem";

/** One of a list that administrators declare and replace as a whole. */
type Declared = { name: string; tools: readonly string[] | null };

/**
 * Refuses to replace a list that has changed since it was read.
 *
 * @param expected undefined to replace it in any case.
 * @param noun what the list has, such as "groups".
 * @throws {DomainError} `conflict`.
 */
export const requireVersion = (
  before: { version: number },
  expected: number | undefined,
  noun: string,
): void => {
  if (expected === undefined || expected === before.version) return;
  throw new DomainError(
    "conflict",
    `Somebody else has changed the ${noun}, so nothing was saved. Try again to apply your change to the new ${noun}.`,
    { shouldRetry: false },
  );
};

type ToolCheck = {
  before: readonly Declared[];
  /** Says why a tool cannot be named; undefined if it can. */
  refuse: (tool: string) => string | undefined;
  /** The pointer of the list. */
  place: string;
};

/** Finds the tools that are refused, and that the same one, by its name, has not had before. */
export const findRefusedTools = (
  list: readonly Declared[],
  { before, refuse, place }: ToolCheck,
): FieldError[] => {
  const names = new Set(list.map(({ name }) => name));
  // What is renamed keeps its tools, and is one of those that are gone.
  const gone = before.filter(({ name }) => !names.has(name));
  const isKept = (owner: string, tool: string): boolean => {
    const same = before.find(({ name }) => name === owner);
    return (same ? [same] : gone).some(({ tools }) => tools?.includes(tool));
  };
  return list.flatMap(({ name, tools }, position) =>
    (tools ?? []).flatMap((tool, index) => {
      const message = refuse(tool);
      if (message === undefined || isKept(name, tool)) return [];
      return [{ pointer: `${place}/${position}/tools/${index}`, message }];
    }),
  );
};

/** What is said of a name that no tool has. */
export const namesNoTool = (tool: string): string => `names no tool: "${tool}"`;
