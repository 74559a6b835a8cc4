/** Formats any value as indented JSON. Does not throw. */
export const formatJson = (value: unknown): string => {
  try {
    return JSON.stringify(value, undefined, 2) ?? String(value);
  } catch {
    // Cycles and BigInts have no JSON, but the card must show something.
    return String(value);
  }
};
