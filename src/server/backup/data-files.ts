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

/** What a file or a link had, and a directory, which is left while it is read. */
type Found = { name: string; path: string };

/**
 * Writes the files of a data directory. Commands may change them meanwhile: a file has as many bytes as it had when it
 * was opened, and no link is followed, so that nothing else of the machine gets into the backup.
 *
 * @returns how many files there are.
 */
export const writeDataFiles = async (archive: ArchiveWriter, dataDir: string): Promise<number> => {
  let count = 0;
  for (const name of FILE_DIRECTORIES)
    count += await writeEntry(archive, { name, path: path.join(dataDir, name) });
  return count;
};

const writeEntry = async (archive: ArchiveWriter, found: Found): Promise<number> => {
  if (found.name.startsWith(REMOVED_PREFIX)) return 0;
  try {
    const stats = await lstat(found.path);
    if (stats.isSymbolicLink()) return await writeLink(archive, found);
    if (stats.isDirectory()) return await writeDirectory(archive, found);
    return stats.isFile() ? await writeFile(archive, found) : 0;
  } catch (error) {
    // It was removed or replaced meanwhile.
    if (["ENOENT", "ELOOP", "ENOTDIR"].some((code) => hasErrorCode(error, code))) return 0;
    throw error;
  }
};

const writeLink = async (archive: ArchiveWriter, { name, path: file }: Found): Promise<number> => {
  const { uid, gid } = await lstat(file);
  const linkname = await readlink(file);
  const header = { name: FILES_PREFIX + name, type: "symlink", mode: 0o777, uid, gid } as const;
  await archive.add({ ...header, size: 0, linkname });
  return 1;
};

const writeDirectory = async (archive: ArchiveWriter, found: Found): Promise<number> => {
  const handle = await open(found.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    const stats = await handle.stat();
    await archive.add({ ...toHeader(found, stats), type: "directory", size: 0 });
    // On Linux the path stays that of the opened directory when it is moved or replaced.
    const opened = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : found.path;
    let count = 0;
    for (const name of await readdir(opened))
      count += await writeEntry(archive, {
        name: `${found.name}/${name}`,
        path: path.join(opened, name),
      });
    return count;
  } finally {
    await handle.close();
  }
};

const writeFile = async (archive: ArchiveWriter, found: Found): Promise<number> => {
  const handle = await open(found.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return 0;
    await archive.add(
      { ...toHeader(found, stats), size: stats.size },
      readExactly(handle, stats.size),
    );
    return 1;
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
