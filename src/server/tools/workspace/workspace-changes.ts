import { link, mkdir, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { MAX_ARTIFACT_BYTES } from "@/contract/limits";
import { ToolFailure } from "@/server/tools/tool-result";
import { removeTree } from "./remove-tree";
import { joinPath, type Place } from "./rooted-directory";
import { withPath } from "./workspace-failure";
import { readWholeFile, toWritableFile, writeAtomically } from "./workspace-files";
import { quotePath } from "./workspace-path";
import type { WorkspaceShare } from "./workspace-quota";
import { ENTRY_BYTES, measureUsage, toDiskBytes } from "./workspace-usage";

export type WorkspaceLimits = { maxBytes: number; maxFiles: number };

/** What a change needs, which must be the only one of its workspace in this process. */
export type ChangeDeps = {
  root: string;
  quota: Pick<WorkspaceShare, "write">;
  limits: WorkspaceLimits;
};

export type FileChange = {
  /** Creates a missing file with its directories; the change gets undefined for it. */
  create: boolean;
  /** @returns the whole new content. */
  change: (before: Uint8Array | undefined) => Uint8Array | Promise<Uint8Array>;
};

/** Writes a whole file. */
export const writeFileAt = async (
  deps: ChangeDeps,
  path: string,
  { bytes, overwrite }: { bytes: Uint8Array; overwrite: boolean },
): Promise<{ created: boolean }> => {
  refuseLargeFile(bytes);
  const room = await measureRoom(deps);
  const walk = { root: deps.root, makeDirectory: room.makeDirectory };
  return withPath(path, walk, async (place) => {
    const file = toWritableFile(place, path, overwrite);
    await room.takeFile(file, bytes.length, () =>
      writeAtomically(place.directory, file, { bytes, overwrite }),
    );
    return { created: file.created };
  });
};

/** Reads a file and replaces it by what is made of it. */
export const changeFileAt = async (
  deps: ChangeDeps,
  path: string,
  { create, change }: FileChange,
): Promise<{ created: boolean }> => {
  const room = await measureRoom(deps);
  const walk = { root: deps.root, ...(create && { makeDirectory: room.makeDirectory }) };
  return withPath(path, walk, async (place) => {
    if (!create) requireEntry(place, path);
    const file = toWritableFile(place, path, true);
    const bytes = await change(file.created ? undefined : await readWholeFile(place, path));
    refuseLargeFile(bytes);
    await room.takeFile(file, bytes.length, () =>
      writeAtomically(place.directory, file, { bytes, overwrite: !file.created }),
    );
    return { created: file.created };
  });
};

type Move = { from: string; to: string; overwrite: boolean };

/** Moves a file or a directory; a link is moved itself. */
export const moveEntry = ({ root, ...deps }: ChangeDeps, { from, to, overwrite }: Move) =>
  withPath(from, { root, keepLastLink: true }, async (source) => {
    const { name, stats } = requireEntry(source, from);
    const sourcePath = join(source.directory.path, name);
    const refuseInside = (realPath: string): void => {
      if (stats.isDirectory() && `${realPath}/`.startsWith(`${sourcePath}/`)) {
        throw new ToolFailure(
          `${quotePath(from)} cannot be moved to ${quotePath(to)}, which is inside of it.`,
        );
      }
    };
    // Only a move to a new directory can exceed the number of files.
    let room: Room | undefined;
    const makeDirectory = async (path: string, realPath: string): Promise<void> => {
      refuseInside(realPath);
      room ??= await measureRoom({ root, ...deps });
      await room.makeDirectory(path);
    };
    await withPath(to, { root, makeDirectory, keepLastLink: true }, async (target) => {
      if (target.name === undefined || target.stats?.isDirectory()) {
        throw new ToolFailure(
          `${quotePath(to)} is a directory. Give the whole new path, such as ${quotePath(`${to.replace(/(?<!\/)\/+$/, "")}/${name}`)}.`,
        );
      }
      const targetPath = join(target.directory.path, target.name);
      if (targetPath === sourcePath) {
        throw new ToolFailure(`${quotePath(from)} and ${quotePath(to)} are the same.`);
      }
      refuseInside(targetPath);
      const isReplaced = target.stats !== undefined;
      if (isReplaced && (!overwrite || stats.isDirectory())) {
        throw new ToolFailure(
          stats.isDirectory()
            ? `${quotePath(to)} already exists, and a directory replaces nothing.`
            : `${quotePath(to)} already exists. Set overwrite to true to replace it.`,
        );
      }
      const [before, after] = [
        joinPath(source.directory, name),
        joinPath(target.directory, target.name),
      ];
      if (stats.isFile() && !isReplaced) {
        // A rename would replace a file that was created meanwhile.
        await link(before, after);
        await unlink(before);
      } else {
        const freed = isReplaced ? -1 : 0;
        await deps.quota.write(freed, () => rename(before, after));
      }
    });
  });

/** Removes a file, a link itself, or a directory with everything in it. */
export const removeEntry = (
  { root, quota }: ChangeDeps,
  path: string,
  { recursive }: { recursive: boolean },
): Promise<{ wasDirectory: boolean }> =>
  withPath(path, { root, keepLastLink: true }, async (place) => {
    const { name, stats } = requireEntry(place, path);
    if (stats.isDirectory() && !recursive) {
      throw new ToolFailure(
        `${quotePath(path)} is a directory. Set recursive to true to delete it with everything in it.`,
      );
    }
    const target = joinPath(place.directory, name);
    await quota.write(-1, () => (stats.isDirectory() ? removeTree(target) : unlink(target)));
    return { wasDirectory: stats.isDirectory() };
  });

const requireEntry = ({ name, stats }: Place, path: string) => {
  if (name === undefined) {
    throw new ToolFailure(
      "The workspace itself cannot be changed: name a file or directory in it.",
    );
  }
  if (!stats) throw new ToolFailure(`${quotePath(path)} does not exist.`);
  return { name, stats };
};

const refuseLargeFile = (bytes: Uint8Array): void => {
  if (bytes.length > MAX_ARTIFACT_BYTES) {
    throw new ToolFailure(`A file must not be larger than ${MAX_ARTIFACT_BYTES} bytes.`);
  }
};

/** What a workspace may still hold. */
type Room = {
  makeDirectory: (path: string) => Promise<void>;
  takeFile: (
    file: { created: boolean; size: number },
    size: number,
    write: () => Promise<void>,
  ) => Promise<void>;
};

const measureRoom = async ({ root, quota, limits }: ChangeDeps): Promise<Room> => {
  const usage = await measureUsage(root, { maxFiles: limits.maxFiles });
  let filesLeft = limits.maxFiles - usage.files;
  const takeEntry = (): void => {
    if (filesLeft <= 0) {
      throw new ToolFailure(`The workspace is full: it holds ${limits.maxFiles} files.`);
    }
    filesLeft--;
  };
  return {
    makeDirectory: async (path) => {
      takeEntry();
      await quota.write(ENTRY_BYTES, () => mkdir(path, { mode: 0o700 }));
    },
    takeFile: async (file, size, write) => {
      if (file.created) takeEntry();
      const growth = size - file.size;
      if (growth > 0 && growth > limits.maxBytes - usage.bytes) {
        throw new ToolFailure(`The workspace is full: it may hold ${limits.maxBytes} bytes.`);
      }
      const entry = file.created ? ENTRY_BYTES : 0;
      await quota.write(toDiskBytes(size) - toDiskBytes(file.size) + entry, write);
    },
  };
};
