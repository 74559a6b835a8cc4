import { ToolFailure } from "@/server/tools/tool-result";
import { OutsideError, type Place, type Walk, withPlace } from "./rooted-directory";
import { quotePath, splitPath } from "./workspace-path";

const SENTENCES: Record<string, string> = {
  EACCES: "may not be accessed",
  EEXIST: "already exists",
  // A link that was replaced between two steps is one cause.
  EINVAL: "was changed meanwhile; try again",
  EISDIR: "is a directory",
  ELOOP: "is a link that leads nowhere",
  ENAMETOOLONG: "has a name that is too long",
  ENOENT: "does not exist",
  ENOTDIR: "leads through something that is no directory",
  ENOTEMPTY: "is a directory that is not empty",
  ENXIO: "is not a regular file",
  EPERM: "may not be accessed",
  EXDEV: "is on another file system",
};

/** Walks to the place of a path. Rejects with failures that the model may read. */
export const withPath = async <Result>(
  path: string,
  walk: Walk,
  use: (place: Place) => Promise<Result>,
): Promise<Result> => {
  const names = splitPath(path, walk.root);
  try {
    return await withPlace(names, walk, use);
  } catch (error) {
    throw toToolFailure(error, path);
  }
};

/** Converts an error of the file system to one for the model; returns any other error unchanged. */
const toToolFailure = (error: unknown, path: string): unknown => {
  if (error instanceof OutsideError) {
    return new ToolFailure(`${quotePath(path)} leads out of the workspace.`, { cause: error });
  }
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (error.code === "ENOSPC" || error.code === "EDQUOT") {
    return new ToolFailure("The server's disk is full.", { cause: error });
  }
  const sentence = SENTENCES[String(error.code)];
  return sentence === undefined
    ? error
    : new ToolFailure(`${quotePath(path)} ${sentence}.`, { cause: error });
};
