const KEY = Symbol.for("parley");

/**
 * Shares a value between the parts of a process that are bundled apart: the program that serves, what Next starts, and its
 * routes. Each bundle has a copy of every module, so this is the only property of `globalThis`.
 *
 * @param name unique in the program.
 * @returns the value that the first caller created.
 */
export const shareInProcess = <Value>(name: string, create: () => Value): Value => {
  const holder = globalThis as { [KEY]?: Map<string, unknown> };
  const values = (holder[KEY] ??= new Map());
  if (!values.has(name)) values.set(name, create());
  return values.get(name) as Value;
};
