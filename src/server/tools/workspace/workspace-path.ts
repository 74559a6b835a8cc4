import { ToolFailure } from "@/server/tools/tool-result";
import { splitNames, toRelative, WORKSPACE_PATH } from "./shown-path";

/** Limit of Linux for one name, in bytes. */
const MAX_NAME_BYTES = 255;
/** Half of Linux's limit for a whole path, in bytes: the path of the workspace must fit before it. */
const MAX_PATH_BYTES = 2_048;

/**
 * Splits a path into the names below the workspace's root; none for the root itself. Models also give the absolute
 * paths that commands print: in a sandbox those below `WORKSPACE_PATH`, without one those below the root.
 *
 * @param root the workspace as the host has it.
 * @throws {ToolFailure} when the path is invalid, or could lead out of the workspace.
 */
export const splitPath = (path: string, root: string): string[] => {
  if (path.includes("\0")) throw new ToolFailure("A path must not contain NUL characters.");
  if (!path.isWellFormed()) throw new ToolFailure("A path must be well-formed Unicode.");
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new ToolFailure(`A path must not be longer than ${MAX_PATH_BYTES} bytes.`);
  }
  const below = toRelative(path, root);
  if (below === undefined) {
    throw new ToolFailure(
      `${quotePath(path)} is absolute: paths are relative to the workspace, or begin with ${WORKSPACE_PATH}.`,
    );
  }
  const names = splitNames(below);
  if (names.includes("..")) {
    throw new ToolFailure(
      `${quotePath(path)} contains "..": paths must stay inside the workspace.`,
    );
  }
  if (names.some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES)) {
    throw new ToolFailure(`A file name must not be longer than ${MAX_NAME_BYTES} bytes.`);
  }
  return names;
};

/** Quotes a path for a text for the model. */
export const quotePath = (path: string): string => JSON.stringify(path === "" ? "." : path);
