import { ToolFailure } from "./tool-failure";

/** What Linux takes for one name and for a whole path, in bytes. */
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 4_096;

/**
 * The names that a path leads through, from the workspace's root; none for the root itself.
 *
 * @throws {ToolFailure} when the path can lead anywhere else, or is none.
 */
export const namesOf = (path: string): string[] => {
  if (path.includes("\0")) throw new ToolFailure("A path must not contain NUL characters.");
  if (!path.isWellFormed()) throw new ToolFailure("A path must be well-formed Unicode.");
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new ToolFailure(`A path must not be longer than ${MAX_PATH_BYTES} bytes.`);
  }
  if (path.startsWith("/")) {
    throw new ToolFailure(`${quoted(path)} is absolute: paths are relative to the workspace.`);
  }
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) {
    throw new ToolFailure(`${quoted(path)} contains "..": paths must stay inside the workspace.`);
  }
  if (names.some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES)) {
    throw new ToolFailure(`A file name must not be longer than ${MAX_NAME_BYTES} bytes.`);
  }
  return names;
};

/** A path as texts for the model show it. */
export const quoted = (path: string): string => JSON.stringify(path === "" ? "." : path);
