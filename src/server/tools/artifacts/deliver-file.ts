import * as z from "zod";
import { defineTool } from "@/server/tools/tool";
import { artifactResult, withResponseHandled } from "@/server/tools/tool-result";
import { type ArtifactDeps, FILE_FIELDS, openNamedFile } from "./named-file";

export const createDeliverFileTool = (deps: ArtifactDeps) =>
  defineTool({
    name: "deliver_file",
    description:
      "Gives a file to the user: one of the workspace by its path, or an artifact by its id. The user sees it in the chat at once, images in place, so nothing more has to be said.",
    example: { path: "report.pdf" },
    input: z.object(FILE_FIELDS),
    run: async (context, input) => {
      const artifact = await (await openNamedFile(deps, context, input)).keep();
      const { name, media_type, size } = artifact;
      const text = `Delivered ${JSON.stringify(name)} (${media_type}, ${size} bytes) to the user.`;
      return withResponseHandled(artifactResult(text, [artifact]));
    },
  });
