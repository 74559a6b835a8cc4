/** Values of a template by their names. Names of prototypes are no names. */
export type TemplateValues = ReadonlyMap<string, string>;

const PLACEHOLDER = /\$\{((?:(?!\$\{)[^}])*)\}/g;

/** Lists the names that a text uses, each once. */
export const listNames = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name = ""]) => name)),
];

/** A name in a template that has no value. */
export class UnknownName extends Error {
  override readonly name = "UnknownName";
  constructor(readonly placeholder: string) {
    super(`There is no value for \${${placeholder}}.`);
  }
}

/**
 * Replaces each `${name}` by its value, once: what a value contains stays as it is.
 *
 * @throws {UnknownName} for a name without a value.
 */
export const fillTemplate = (text: string, values: TemplateValues): string =>
  text.replace(PLACEHOLDER, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new UnknownName(name);
    return value;
  });
