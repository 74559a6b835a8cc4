import { chmod, chown, lchown, mkdir, open, symlink, utimes } from "node:fs/promises";
import path from "node:path";
import type { TarHeader } from "modern-tar";
import { FILE_DIRECTORIES, FILES_PREFIX } from "./data-files";
import type { ArchiveEntry } from "./read-archive";

const isRoot = process.getuid?.() === 0;

/**
 * Writes the files of a backup into a directory. Links are made at the end, so that no file is written through one, and
 * directories get their modes then, as some may not be written.
 */
export const createFileStage = (root: string) => {
  const links: TarHeader[] = [];
  const directories: TarHeader[] = [];
  return {
    add: async ({ header, body }: ArchiveEntry): Promise<void> => {
      const target = toPath(root, header.name);
      if (header.type === "symlink") links.push(header);
      else if (header.type === "directory") {
        await mkdir(target, { recursive: true, mode: 0o700 });
        directories.push(header);
      } else {
        await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
        await writeFile(target, header, body);
      }
    },
    end: async (): Promise<void> => {
      for (const { name, linkname = "", uid = 0, gid = 0 } of links) {
        const target = toPath(root, name);
        await symlink(linkname, target);
        if (isRoot) await lchown(target, uid, gid);
      }
      for (const header of directories.reverse())
        await setAttributes(toPath(root, header.name), header);
    },
  };
};

const writeFile = async (
  target: string,
  header: TarHeader,
  body: AsyncIterable<Uint8Array>,
): Promise<void> => {
  const handle = await open(target, "wx", 0o600);
  try {
    for await (const piece of body) await handle.writeFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await setAttributes(target, header);
};

const setAttributes = async (
  target: string,
  { mode = 0o600, uid = 0, gid = 0, mtime = new Date(0) }: TarHeader,
): Promise<void> => {
  if (isRoot) await chown(target, uid, gid);
  await chmod(target, mode & 0o777);
  await utimes(target, mtime, mtime);
};

/** @throws {Error} for a name that leads elsewhere. */
const toPath = (root: string, name: string): string => {
  const names = name.slice(FILES_PREFIX.length).replace(/\/$/, "").split("/");
  const isSafe = names.every((each) => each !== "" && each !== "." && each !== "..");
  if (!isSafe || !FILE_DIRECTORIES.includes(names[0] ?? ""))
    throw new Error(
      `The backup has a file with the name ${JSON.stringify(name)}, which is not allowed.`,
    );
  return path.join(root, ...names);
};
