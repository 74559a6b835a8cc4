import * as z from "zod";
import { diffResult } from "@/server/tools/diff-result";
import { defineTool } from "@/server/tools/tool";
import { ToolFailure, toolResult } from "@/server/tools/tool-result";
import type { Workspace, WorkspaceDeps } from "@/server/tools/workspace/workspace";
import { quotePath } from "@/server/tools/workspace/workspace-path";
import { decodeText, refuseMaskedText } from "./file-text";

export const createWriteFileTool = ({ openWorkspace }: WorkspaceDeps) =>
  defineTool({
    name: "write_file",
    description:
      "Writes a text file in this chat's workspace, with the directories it needs. A file that exists is left alone unless overwrite is true.",
    example: { path: "notes.md", content: "# Notes\n" },
    card: {
      label: "Write file",
      icon: "file-pen",
      detail: "path",
      text: { argument: "content", label: "Content" },
    },
    input: z.object({
      path: z.string().min(1).describe("Relative to the workspace."),
      content: z.string().describe("The whole new content of the file."),
      overwrite: z
        .boolean()
        .optional()
        .describe("Replace the file if it exists; false when left out."),
    }),
    run: async (context, { path, content, overwrite }) => {
      refuseMaskedText(content, path);
      const workspace = openWorkspace(context);
      const before = overwrite ? await readPreviousText(workspace, path) : undefined;
      const bytes = new TextEncoder().encode(content);
      const { created } = await workspace.write(path, bytes, { overwrite: overwrite ?? false });
      const summary = `${created ? "Created" : "Replaced"} ${quotePath(path)}: ${bytes.length} bytes.`;
      return created || before === undefined
        ? toolResult(summary)
        : diffResult(summary, before, content);
    },
  });

/** @returns undefined when there is no file, or a binary one. */
const readPreviousText = async (
  workspace: Workspace,
  path: string,
): Promise<string | undefined> => {
  try {
    return await decodeText(await workspace.read(path), path);
  } catch (error) {
    // The write reports a failure that affects it, too.
    if (error instanceof ToolFailure) return undefined;
    throw error;
  }
};
