import { lstat, mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { hasErrorCode } from "@/lib/has-error-code";
import { removeTree } from "@/server/tools/workspace/remove-tree";

/** The server of a younger one may have been added after these were read. */
const MIN_AGE_MS = 60_000;

/** Where servers of the sandbox have their files, one directory each. */
export const createServerDirectories = (dataDir: string) => {
  const root = path.join(dataDir, "mcp");
  return {
    /** Creates the directory of a server, if it has none yet. */
    open: async (serverId: string): Promise<string> => {
      const directory = path.join(root, serverId);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      return directory;
    },
    remove: (serverId: string): Promise<void> => removeTree(path.join(root, serverId)),
    /** Removes those that a process has left behind, of servers other than these. */
    removeAbandoned: async (kept: ReadonlySet<string>): Promise<void> => {
      const names = await readdir(root).catch((error: unknown) => {
        if (hasErrorCode(error, "ENOENT")) return [];
        throw error;
      });
      for (const name of names) {
        const directory = path.join(root, name);
        const stats = kept.has(name) ? undefined : await lstat(directory).catch(() => undefined);
        if (stats && Date.now() - stats.mtimeMs > MIN_AGE_MS) await removeTree(directory);
      }
    },
  };
};
