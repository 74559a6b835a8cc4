/** Where commands in a sandbox find their workspace. */
export const WORKSPACE_PATH = "/workspace";

/** @returns undefined for an absolute path that is not below one of the places where the workspace is seen. */
export const toRelative = (path: string, root: string): string | undefined => {
  if (!path.startsWith("/")) return path;
  const place = [root, WORKSPACE_PATH].find((top) => path === top || path.startsWith(`${top}/`));
  return place === undefined ? undefined : path.slice(place.length);
};

export const splitNames = (path: string): string[] =>
  path.split("/").filter((name) => name !== "" && name !== ".");
