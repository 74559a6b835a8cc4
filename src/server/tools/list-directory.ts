import { z } from "zod";
import { defineTool } from "./tool";
import { silentResult } from "./tool-result";
import type { WorkspaceDeps } from "./workspace";
import type { DirectoryEntry } from "./workspace-files";

/** More names than a model can use; beyond it the count is told. */
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
      const lines = entries.slice(0, MAX_ENTRIES).map(entryLine);
      const more = entries.length - lines.length;
      return silentResult([...lines, ...(more > 0 ? [`(${more} more entries)`] : [])].join("\n"));
    },
  });

/** A name that could pass for another line is shown quoted. */
const entryLine = ({ name, type, size }: DirectoryEntry): string => {
  const shown = /^[^\p{Cc}"]*$/u.test(name) ? name : JSON.stringify(name);
  if (type === "directory") return `${shown}/`;
  return type === "file" ? `${shown} (${size} bytes)` : `${shown} (${type})`;
};
