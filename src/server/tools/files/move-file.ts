import * as z from "zod";
import { defineTool } from "@/server/tools/tool";
import { toolResult } from "@/server/tools/tool-result";
import type { WorkspaceDeps } from "@/server/tools/workspace/workspace";
import { quotePath } from "@/server/tools/workspace/workspace-path";

export const createMoveFileTool = ({ openWorkspace }: WorkspaceDeps) =>
  defineTool({
    name: "move_file",
    description:
      "Moves or renames a file or a directory of this chat's workspace, and creates the directories that the new path needs. A file that exists is left alone unless overwrite is true.",
    example: { from: "a.md", to: "docs/a.md" },
    input: z.object({
      from: z.string().min(1).describe("The path now, relative to the workspace."),
      to: z.string().min(1).describe("The whole new path, relative to the workspace."),
      overwrite: z
        .boolean()
        .optional()
        .describe("Replace a file that exists; false when left out."),
    }),
    run: async (context, { from, to, overwrite = false }) => {
      await openWorkspace(context).move(from, to, { overwrite });
      return toolResult(`Moved ${quotePath(from)} to ${quotePath(to)}.`);
    },
  });
