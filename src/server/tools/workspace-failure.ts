import { OutsideError } from "./rooted-directory";
import { ToolFailure } from "./tool-result";
import { quotePath } from "./workspace-path";

const SENTENCES: Record<string, string> = {
  EACCES: "may not be accessed",
  EEXIST: "already exists",
  EISDIR: "is a directory",
  ELOOP: "is a link that leads nowhere",
  ENAMETOOLONG: "has a name that is too long",
  ENOENT: "does not exist",
  ENOTDIR: "leads through something that is no directory",
  ENXIO: "is not a regular file",
  EPERM: "may not be accessed",
};

/** Converts an error of the file system to one for the model; returns any other error unchanged. */
export const toToolFailure = (error: unknown, path: string): unknown => {
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
