import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir, readlink } from "node:fs/promises";
import path from "node:path";
import { hasErrorCode } from "@/lib/has-error-code";
import type { ArchiveWriter } from "./write-archive";

/** Of the data directory: the files of chats, of MCP servers, and the home of commands without a sandbox. */
export const FILE_DIRECTORIES: readonly string[] = ["workspaces", "mcp", "home"];
/** Where they are in a backup. */
export const FILES_PREFIX = "files/";

/** Workspaces of deleted chats, which a worker is removing. */
const REMOVED_PREFIX = "workspaces/.removed-";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Each directory above a file is open while that is read. A command can make more of them than a process may open. */
const MAX_DEPTH = 200;

/** A file, a link or a directory below the data directory. */
type Found = { name: string; path: string; depth: number };

export type WrittenFiles = {
  files: number;
  /** Names of what this account may not read, of what is too deep, and of names that are no text. */
  leftOut: string[];
};

/**
 * Writes the files of a data directory. Commands may change them meanwhile: a file has as many bytes as it had when it
 * was opened, and no link is followed, so that nothing else of the machine gets into the backup.
 */
export const writeDataFiles = async (
  archive: ArchiveWriter,
  dataDir: string,
): Promise<WrittenFiles> => {
  const written: WrittenFiles = { files: 0, leftOut: [] };
  for (const name of FILE_DIRECTORIES)
    await writeEntry({ archive, written }, { name, path: path.join(dataDir, name), depth: 0 });
  return written;
};

type FileDeps = { archive: ArchiveWriter; written: WrittenFiles };

/** Node replaces bytes of a name that are no text by this. */
const NO_TEXT = "\uFFFD";

const writeEntry = async (deps: FileDeps, found: Found): Promise<void> => {
  if (found.name.startsWith(REMOVED_PREFIX)) return;
  try {
    const stats = await lstat(found.path);
    if (stats.isSymbolicLink()) await writeLink(deps, found);
    else if (stats.isDirectory()) await writeDirectory(deps, found);
    else if (stats.isFile()) await writeFile(deps, found);
  } catch (error) {
    const isForbidden = hasErrorCode(error, "EACCES", "EPERM");
    if (isForbidden || found.name.includes(NO_TEXT)) deps.written.leftOut.push(found.name);
    // It was removed or replaced meanwhile.
    else if (!hasErrorCode(error, "ENOENT", "ELOOP", "ENOTDIR")) throw error;
  }
};

const writeLink = async (
  { archive, written }: FileDeps,
  { name, path: file }: Found,
): Promise<void> => {
  const { uid, gid } = await lstat(file);
  const linkname = await readlink(file);
  const header = { name: FILES_PREFIX + name, type: "symlink", mode: 0o777, uid, gid } as const;
  await archive.add({ ...header, size: 0, linkname });
  written.files += 1;
};

const writeDirectory = async (deps: FileDeps, found: Found): Promise<void> => {
  if (found.depth > MAX_DEPTH) {
    deps.written.leftOut.push(found.name);
    return;
  }
  const handle = await open(found.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    const stats = await handle.stat();
    await deps.archive.add({ ...toHeader(found, stats), type: "directory", size: 0 });
    // On Linux the path stays that of the opened directory when it is moved or replaced.
    const opened = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : found.path;
    for (const name of await readdir(opened)) {
      const inside = { name: `${found.name}/${name}`, path: path.join(opened, name) };
      await writeEntry(deps, { ...inside, depth: found.depth + 1 });
    }
  } finally {
    await handle.close();
  }
};

const writeFile = async ({ archive, written }: FileDeps, found: Found): Promise<void> => {
  const handle = await open(found.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return;
    const header = { ...toHeader(found, stats), size: stats.size };
    await archive.add(header, readExactly(handle, stats.size));
    written.files += 1;
  } finally {
    await handle.close();
  }
};

const toHeader = (
  { name }: Found,
  { mode, uid, gid, mtime }: { mode: number; uid: number; gid: number; mtime: Date },
) => ({ name: FILES_PREFIX + name, mode: mode & 0o777, uid, gid, mtime });

const PIECE_BYTES = 256 * 1024;

/** What a file lacks that became shorter is filled with zeros. */
async function* readExactly(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0;) {
    const buffer = new Uint8Array(Math.min(PIECE_BYTES, left));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
    const piece = bytesRead === 0 ? buffer : buffer.subarray(0, bytesRead);
    left -= piece.length;
    yield piece;
  }
}
