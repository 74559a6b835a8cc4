import * as z from "zod";
import { isRasterImage } from "@/contract/file-kind";
import { defineTool } from "@/server/tools/tool";
import { ToolFailure, artifactResult } from "@/server/tools/tool-result";
import { detectMediaType } from "./detect-media-type";
import { MAX_IMAGE_PIXELS, toModelImage } from "./model-image";
import { type ArtifactDeps, FILE_FIELDS, openNamedFile } from "./named-file";

export const createLoadImageTool = (deps: ArtifactDeps) =>
  defineTool({
    name: "load_image",
    description:
      "Shows you an image (PNG, JPEG, GIF, WebP or AVIF) of the workspace by its path, or of this chat by its artifact_id. You see it with the result of this call only; later, load it again.",
    example: { path: "photo.png" },
    agentTypes: ["explore"],
    input: z.object(FILE_FIELDS),
    run: async (context, input) => {
      const file = await openNamedFile(deps, context, input);
      const { width, height } = await requireImage(await file.read());
      const artifact = await file.keep();
      const { name, media_type, size } = artifact;
      return artifactResult(
        `Loaded ${JSON.stringify(name)}: ${media_type}, ${width} × ${height} pixels, ${size} bytes.`,
        [artifact],
      );
    },
  });

/** Decodes the image as a later step does, so that what cannot be shown fails here. */
const requireImage = async (bytes: Uint8Array) => {
  const mediaType = await detectMediaType(bytes, "");
  if (!isRasterImage(mediaType)) {
    throw new ToolFailure(
      `This is ${mediaType} by its content, not a PNG, JPEG, GIF, WebP or AVIF image.`,
    );
  }
  try {
    return await toModelImage(bytes);
  } catch (cause) {
    throw new ToolFailure(
      `The image could not be read: it is damaged, or too large: it has more than ${MAX_IMAGE_PIXELS} pixels, or its format takes too much memory for them, as AVIF and what is interlaced do.`,
      { cause },
    );
  }
};
