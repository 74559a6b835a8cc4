/** A value as people read JSON; never throws, whatever it is given. */
export const jsonText = (value: unknown): string => {
  try {
    return JSON.stringify(value, undefined, 2) ?? String(value);
  } catch {
    // A cycle or a BigInt is no JSON, yet something must be shown.
    return String(value);
  }
};
