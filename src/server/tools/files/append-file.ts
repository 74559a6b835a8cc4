import * as z from "zod";
import { defineTool } from "@/server/tools/tool";
import { toolResult } from "@/server/tools/tool-result";
import type { WorkspaceDeps } from "@/server/tools/workspace/workspace";
import { quotePath } from "@/server/tools/workspace/workspace-path";
import { refuseMaskedText } from "./file-text";

export const createAppendFileTool = ({ openWorkspace }: WorkspaceDeps) =>
  defineTool({
    name: "append_file",
    description:
      "Adds text to the end of a file in this chat's workspace, and creates the file with the directories it needs if it does not exist. No line break is added before or after the text.",
    example: { path: "notes.md", content: "One more line.\n" },
    card: {
      label: "Append to file",
      icon: "file-plus",
      detail: "path",
      text: { argument: "content", label: "Added" },
    },
    input: z.object({
      path: z.string().min(1).describe("Relative to the workspace."),
      content: z.string().min(1).describe("The text to add."),
    }),
    run: async (context, { path, content }) => {
      refuseMaskedText(content, path);
      const added = new TextEncoder().encode(content);
      let size = 0;
      const { created } = await openWorkspace(context).change(path, {
        create: true,
        change: (before = new Uint8Array()) => {
          size = before.length + added.length;
          return Buffer.concat([before, added]);
        },
      });
      return toolResult(
        created
          ? `Created ${quotePath(path)}: ${size} bytes.`
          : `Added ${added.length} bytes to ${quotePath(path)}, which now has ${size}.`,
      );
    },
  });
