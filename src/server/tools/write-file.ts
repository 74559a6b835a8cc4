import { z } from "zod";
import { defineTool } from "./tool";
import { toolResult } from "./tool-result";
import { quoted } from "./workspace-path";

export const writeFile = defineTool({
  name: "write_file",
  description:
    "Writes a text file in this chat's workspace, with the directories it needs. A file that exists is left alone unless overwrite is true.",
  input: z.strictObject({
    path: z.string().min(1).describe("Relative to the workspace."),
    content: z.string().describe("The whole new content of the file."),
    overwrite: z
      .boolean()
      .nullish()
      .describe("Replace the file if it exists; false when left out."),
  }),
  run: async ({ workspace }, { path, content, overwrite }) => {
    const bytes = new TextEncoder().encode(content);
    const { created } = await workspace.write(path, bytes, { overwrite: overwrite ?? false });
    return toolResult(
      `${created ? "Created" : "Replaced"} ${quoted(path)}: ${bytes.length} bytes.`,
    );
  },
});
