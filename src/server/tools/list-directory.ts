import { z } from "zod";
import { defineTool } from "./tool";
import { silentResult } from "./tool-result";
import type { WorkspaceDeps } from "./workspace";
import type { DirectoryEntry } from "./workspace-files";

/** Entries that are listed; the rest is counted only. */
const MAX_ENTRIES = 500;

export const createListDirectoryTool = ({ openWorkspace }: WorkspaceDeps) =>
  defineTool({
    name: "list_directory",
    description:
      "Lists the files and directories in a directory of this chat's workspace, with the sizes of files in bytes.",
    input: z.strictObject({
      path: z
        .string()
        .nullish()
        .describe("Relative to the workspace; the workspace itself when left out."),
    }),
    run: async (context, { path }) => {
      const entries = await openWorkspace(context).list(path ?? ".");
      if (entries.length === 0) return silentResult("The directory is empty.");
      const lines = entries.slice(0, MAX_ENTRIES).map(formatEntry);
      const more = entries.length - lines.length;
      return silentResult([...lines, ...(more > 0 ? [`(${more} more entries)`] : [])].join("\n"));
    },
  });

/** Quotes a name with control characters, because it could look like another line. */
const formatEntry = ({ name, type, size }: DirectoryEntry): string => {
  const shown = /^[^\p{Cc}"]*$/u.test(name) ? name : JSON.stringify(name);
  if (type === "directory") return `${shown}/`;
  return type === "file" ? `${shown} (${size} bytes)` : `${shown} (${type})`;
};
