import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** As many links as Linux follows in one path. */
const MAX_LINKS = 40;

/** A path that leads out of the root, or in circles. */
export class OutsideError extends Error {
  override readonly name = "OutsideError";
}

/** An open directory below the root. */
export type OpenDirectory = { handle: FileHandle; path: string };

/** Where a path ends: a name in an open directory; no name is the directory itself. */
export type Place = {
  directory: OpenDirectory;
  name: string | undefined;
  stats: Stats | undefined;
};

export type Walk = {
  root: string;
  /** The last name is entered too when it is a directory. */
  enterLast?: boolean;
  /** Makes a directory that is missing on the way. */
  makeDirectory?: (path: string) => Promise<void>;
};

/**
 * Walks from the root one name at a time, each opened relative to the directory before it and
 * without following links; links are read and walked in the same way. So no link leads outside,
 * also not one that is put in the way between a check and its use.
 *
 * @param names may hold no ".." and no "/".
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

/** The path of a name in an open directory; on Linux it holds whatever happens to the directory's own path. */
export const pathIn = ({ handle, path }: OpenDirectory, name?: string): string => {
  const base = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : path;
  return name === undefined ? base : `${base}/${name}`;
};

const findPlace = async (
  names: readonly string[],
  { root, enterLast, makeDirectory }: Walk,
  opened: FileHandle[],
): Promise<Place> => {
  const realRoot = await realpath(root);
  const enter = async (path: string, real: string): Promise<OpenDirectory> => {
    const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
    opened.push(handle);
    return { handle, path: real };
  };
  const above: OpenDirectory[] = [];
  let directory = await enter(realRoot, realRoot);
  let links = 0;
  const left = [...names];
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    if (name === "..") {
      directory = parentOf(above);
      continue;
    }
    const path = pathIn(directory, name);
    const stats = await lstatOrNothing(path);
    if (stats?.isSymbolicLink()) {
      const link = linkPath(await readlink(path), { root: realRoot, count: ++links });
      if (link.fromRoot) directory = above.splice(0)[0] ?? directory;
      left.unshift(...link.names);
      continue;
    }
    if (left.length === 0 && !(enterLast && isDirectory(stats))) return { directory, name, stats };
    if (!stats) await makeDirectory?.(path);
    above.push(directory);
    directory = await enter(path, join(directory.path, name));
  }
  return { directory, name: undefined, stats: undefined };
};

const parentOf = (above: OpenDirectory[]): OpenDirectory => {
  const parent = above.pop();
  if (!parent) throw new OutsideError("above the root");
  return parent;
};

/** Where a link leads: on from its own directory, or, as an absolute path below it, from the root. */
const linkPath = (
  target: string,
  { root, count }: { root: string; count: number },
): { fromRoot: boolean; names: string[] } => {
  if (count > MAX_LINKS) throw new OutsideError("too many links");
  const fromRoot = target.startsWith("/");
  if (fromRoot && target !== root && !target.startsWith(`${root}/`)) {
    throw new OutsideError("an absolute link");
  }
  const path = fromRoot ? target.slice(root.length) : target;
  return { fromRoot, names: path.split("/").filter((name) => name !== "" && name !== ".") };
};

const isDirectory = (stats: Stats | undefined): boolean => stats?.isDirectory() ?? false;

const lstatOrNothing = async (path: string): Promise<Stats | undefined> => {
  try {
    return await lstat(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
};
