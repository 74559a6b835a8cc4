/**
 * Creates a function that renames the keys of objects in a JSON text that arrives in pieces. A key is held back until all
 * of it has arrived; everything else is passed on as it was written, also what is no JSON.
 */
export const createKeyMapper = (names: ReadonlyMap<string, string>) => {
  /** Whether each open bracket is that of an object. */
  const open: boolean[] = [];
  let expectsKey = false;
  let isInString = false;
  let isEscaped = false;
  /** The text of a key without its quotes, while one is read. */
  let key: string | undefined;

  const readInString = (char: string): string => {
    const ends = char === '"' && !isEscaped;
    isEscaped = char === "\\" && !isEscaped;
    if (ends) isInString = false;
    if (key === undefined) return char;
    if (!ends) {
      key += char;
      return "";
    }
    const renamed = renameKey(key, names);
    key = undefined;
    return `"${renamed}"`;
  };

  const readOutside = (char: string): string => {
    if (char === '"') {
      isInString = true;
      if (!expectsKey) return char;
      key = "";
      return "";
    }
    if (char === "{" || char === "[") open.push(char === "{");
    else if (char === "}" || char === "]") open.pop();
    if (char === "{" || char === ",") expectsKey = open.at(-1) === true;
    else if (char === ":" || char === "[") expectsKey = false;
    return char;
  };

  return {
    map: (text: string): string => {
      let mapped = "";
      for (const char of text) mapped += isInString ? readInString(char) : readOutside(char);
      return mapped;
    },
    /** @returns what is held back. */
    flush: (): string => (key === undefined ? "" : `"${key}`),
  };
};

/** @param key as it is written between quotes. */
const renameKey = (key: string, names: ReadonlyMap<string, string>): string => {
  try {
    const name = names.get(JSON.parse(`"${key}"`) as string);
    return name === undefined ? key : JSON.stringify(name).slice(1, -1);
  } catch {
    return key;
  }
};

/** Renames the keys of objects in a whole JSON text. */
export const mapKeys = (text: string, names: ReadonlyMap<string, string>): string => {
  const mapper = createKeyMapper(names);
  return mapper.map(text) + mapper.flush();
};
