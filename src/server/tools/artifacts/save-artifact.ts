import * as z from "zod";
import { defineTool } from "@/server/tools/tool";
import { userResult } from "@/server/tools/tool-result";
import { quotePath } from "@/server/tools/workspace/workspace-path";
import { type ArtifactDeps, requireArtifact } from "./named-file";

export const createSaveArtifactTool = (deps: ArtifactDeps) =>
  defineTool({
    name: "save_artifact",
    description:
      "Writes an artifact of this chat to a file in the workspace, so that other tools can work on it. A file that exists is left alone unless overwrite is true.",
    example: { artifact_id: "id-of-artifact", path: "photo.png" },
    input: z.object({
      artifact_id: z.string().describe("The id of the artifact."),
      path: z.string().min(1).describe("The file to write, relative to the workspace."),
      overwrite: z
        .boolean()
        .optional()
        .describe("Replace the file if it exists; false when left out."),
    }),
    run: async (context, { artifact_id, path, overwrite = false }) => {
      const artifact = await requireArtifact(deps, context, artifact_id);
      const bytes = await artifact.read();
      await deps.openWorkspace(context).write(path, bytes, { overwrite });
      const name = JSON.stringify(artifact.name);
      return userResult(`Saved ${name} as ${quotePath(path)}: ${bytes.length} bytes.`);
    },
  });
