import path from "node:path";

/** @returns a path as people know it: relative to the folder of recipes, absolute outside of it. */
export const toShownPath = (folder: string, file: string): string => {
  const relative = path.relative(folder, file);
  return relative.startsWith("..") ? file : relative;
};
