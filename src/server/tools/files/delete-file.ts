import * as z from "zod";
import { defineTool } from "@/server/tools/tool";
import { toolResult } from "@/server/tools/tool-result";
import type { WorkspaceDeps } from "@/server/tools/workspace/workspace";
import { quotePath } from "@/server/tools/workspace/workspace-path";

export const createDeleteFileTool = ({ openWorkspace }: WorkspaceDeps) =>
  defineTool({
    name: "delete_file",
    description:
      "Deletes a file of this chat's workspace or, if recursive is true, a directory with everything in it. This cannot be undone.",
    example: { path: "old.md" },
    input: z.object({
      path: z.string().min(1).describe("Relative to the workspace."),
      recursive: z
        .boolean()
        .optional()
        .describe("Delete a directory with everything in it; false when left out."),
    }),
    run: async (context, { path, recursive = false }) => {
      const { wasDirectory } = await openWorkspace(context).remove(path, { recursive });
      return toolResult(
        wasDirectory
          ? `Deleted the directory ${quotePath(path)} with everything in it.`
          : `Deleted ${quotePath(path)}.`,
      );
    },
  });
