import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import { hasErrorCode } from "@/lib/has-error-code";
import { splitNames, toRelative } from "./shown-path";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Links that are followed in one path, as many as Linux follows. */
const MAX_LINKS = 40;

/** A path that leads out of the root, or a cycle of links. */
export class OutsideError extends Error {
  override readonly name = "OutsideError";
}

/** An open directory below the root. */
export type OpenDirectory = { handle: FileHandle; path: string };

/** Where a path ends: a name in an open directory; without a name, the directory itself. */
export type Place = {
  directory: OpenDirectory;
  name: string | undefined;
  stats: Stats | undefined;
};

export type Walk = {
  root: string;
  /** Whether the last name is opened too, when it is a directory. */
  enterLast?: boolean;
  /** Whether a link that is the last name is the place itself, as for a removal. */
  keepLastLink?: boolean;
  /** Creates a directory that is missing on the path; `realPath` names it without links. */
  makeDirectory?: (path: string, realPath: string) => Promise<void>;
};

/**
 * Walks from the root one name at a time, each opened relative to the directory before it and
 * without following links; links are read and walked in the same way. So no link can lead outside,
 * even one that is created between a check and its use.
 *
 * @param names must not contain ".." or "/".
 * @throws {OutsideError}, or the file system's own errors.
 */
export const withPlace = async <Result>(
  names: readonly string[],
  walk: Walk,
  use: (place: Place) => Promise<Result>,
): Promise<Result> => {
  const opened: FileHandle[] = [];
  try {
    return await use(await findPlace(names, walk, opened));
  } finally {
    await Promise.all(opened.map((handle) => handle.close()));
  }
};

/** Joins a name to an open directory; on Linux the path stays valid when the directory is moved. */
export const joinPath = ({ handle, path }: OpenDirectory, name?: string): string => {
  const base = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : path;
  return name === undefined ? base : `${base}/${name}`;
};

const findPlace = async (
  names: readonly string[],
  walk: Walk,
  opened: FileHandle[],
): Promise<Place> => {
  const realRoot = await realpath(walk.root);
  const enter = async (path: string, real: string): Promise<OpenDirectory> => {
    const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
    opened.push(handle);
    return { handle, path: real };
  };
  const above: OpenDirectory[] = [];
  let directory = await enter(realRoot, realRoot);
  let links = 0;
  const remaining = [...names];
  for (let name = remaining.shift(); name !== undefined; name = remaining.shift()) {
    if (name === "..") {
      directory = popParent(above);
      continue;
    }
    const path = joinPath(directory, name);
    const realPath = join(directory.path, name);
    const stats = await lstatIfExists(path);
    const isLast = remaining.length === 0;
    if (isFollowed(stats, isLast, walk)) {
      const link = resolveLink(await readlink(path), { root: realRoot, count: ++links });
      if (link.fromRoot) directory = above.splice(0)[0] ?? directory;
      remaining.unshift(...link.names);
      continue;
    }
    if (isLast && !isEntered(stats, walk)) return { directory, name, stats };
    if (!stats) await walk.makeDirectory?.(path, realPath);
    above.push(directory);
    directory = await enter(path, realPath);
  }
  return { directory, name: undefined, stats: undefined };
};

const popParent = (above: OpenDirectory[]): OpenDirectory => {
  const parent = above.pop();
  if (!parent) throw new OutsideError("above the root");
  return parent;
};

/** Resolves a link: relative to its directory or, for an absolute path of the workspace, to the root. */
const resolveLink = (
  target: string,
  { root, count }: { root: string; count: number },
): { fromRoot: boolean; names: string[] } => {
  if (count > MAX_LINKS) throw new OutsideError("too many links");
  const path = toRelative(target, root);
  if (path === undefined) throw new OutsideError("an absolute link");
  return { fromRoot: target.startsWith("/"), names: splitNames(path) };
};

const isFollowed = (stats: Stats | undefined, isLast: boolean, { keepLastLink }: Walk): boolean =>
  (stats?.isSymbolicLink() ?? false) && !(isLast && keepLastLink);

/** Whether the last name of a path is opened. */
const isEntered = (stats: Stats | undefined, { enterLast = false }: Walk): boolean =>
  enterLast && (stats?.isDirectory() ?? false);

const lstatIfExists = async (path: string): Promise<Stats | undefined> => {
  try {
    return await lstat(path);
  } catch (error) {
    if (hasErrorCode(error, "ENOENT")) return undefined;
    throw error;
  }
};
