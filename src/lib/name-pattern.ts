/** Such a pattern for the LIKE of SQL. */
export const toLikePattern = (pattern: string): string =>
  pattern.replaceAll(/[\\%_]/g, "\\$&").replaceAll("*", "%");

/** Whether a name fits a pattern in which `*` stands for any characters, or none. */
export const matchesName = (pattern: string, name: string): boolean => {
  const [first = "", ...pieces] = pattern.split("*");
  const last = pieces.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let end = first.length;
  for (const piece of pieces) {
    const start = name.indexOf(piece, end);
    if (start === -1) return false;
    end = start + piece.length;
  }
  return name.length - last.length >= end && name.endsWith(last);
};
