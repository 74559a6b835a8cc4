import * as z from "zod";
import { defineTool } from "@/server/tools/tool";
import { silentResult } from "@/server/tools/tool-result";
import type { WorkspaceDeps } from "@/server/tools/workspace/workspace";
import type { DirectoryEntry } from "@/server/tools/workspace/workspace-files";
import { describePage } from "./page-note";

const DEFAULT_ENTRIES = 500;
const MAX_ENTRIES = 1_000;

export const createListDirectoryTool = ({ openWorkspace }: WorkspaceDeps) =>
  defineTool({
    name: "list_directory",
    description:
      "Lists the files and directories in a directory of this chat's workspace by name, with the sizes of files in bytes. Long lists come in pages; the answer says where the next one begins.",
    agentTypes: ["explore"],
    input: z.object({
      path: z
        .string()
        .optional()
        .describe("Relative to the workspace; the workspace itself when left out."),
      offset: z.int().min(1).optional().describe("The first entry to list, counted from 1."),
      limit: z
        .int()
        .min(1)
        .max(MAX_ENTRIES)
        .optional()
        .describe(`How many entries to list; ${DEFAULT_ENTRIES} when left out.`),
    }),
    run: async (context, { path = ".", offset: first = 1, limit = DEFAULT_ENTRIES }) => {
      const page = { offset: first - 1, limit };
      const { entries, total } = await openWorkspace(context).list(path, page);
      if (total === 0) return silentResult("The directory is empty.");
      if (first > total) {
        return silentResult(
          `The directory has only ${total} entries, so there is no entry ${first}.`,
        );
      }
      const count = Math.min(limit, total - first + 1);
      const note = describePage("Entries", { first, count, total });
      return silentResult(
        [...entries.map(formatEntry), ...(note === undefined ? [] : ["", note])].join("\n"),
      );
    },
  });

/** Quotes a name with control characters, because it could look like another line. */
const formatEntry = ({ name, type, size }: DirectoryEntry): string => {
  const shown = /^[^\p{Cc}"]*$/u.test(name) ? name : JSON.stringify(name);
  if (type === "directory") return `${shown}/`;
  return type === "file" ? `${shown} (${size} bytes)` : `${shown} (${type})`;
};
