import { isUnavailable } from "@/contract/domain-error";
import { isRasterImage } from "@/contract/file-kind";
import type { HistoryMessage, ToolCallPartRow } from "@/server/db/chats/rows";
import type { ArtifactDeps } from "@/server/tools/artifacts/named-file";
import { type ModelImage, toModelImage } from "@/server/tools/artifacts/model-image";
import type { ToolChat, ToolLog } from "@/server/tools/tool-context";

/** Images that one prompt has: each costs about as much as a page of text, and providers limit a request. */
const MAX_IMAGES = 5;

/** Images by the ids of their artifacts. */
export type ResultImages = ReadonlyMap<string, ModelImage>;

type ImageDeps = Pick<ArtifactDeps, "openArtifact"> & { log: Pick<ToolLog, "warn"> };

/**
 * Loads the images of the results that the model has not seen yet: those of the history's last message, an answer. An
 * older image, one over the limit, or one that cannot be decoded is only named in its result.
 */
export const loadNewImages = async (
  { openArtifact, log }: ImageDeps,
  { chat, answer }: { chat: ToolChat; answer: HistoryMessage },
): Promise<ResultImages> => {
  const images = new Map<string, ModelImage>();
  const calls = answer.parts.filter((part) => part.type === "tool_call");
  for (const id of [...new Set(calls.flatMap(findImages))].slice(0, MAX_IMAGES)) {
    try {
      const file = await openArtifact(chat, id);
      if (file) images.set(id, await toModelImage(await file.read()));
    } catch (error) {
      if (isUnavailable(error)) throw error;
      log.warn({ err: error, artifactId: id }, "image not shown to the model");
    }
  }
  return images;
};

/** @returns the ids of a result's images. What the person got already, the model need not see. */
export const findImages = (call: ToolCallPartRow): string[] =>
  call.isError || call.responseHandled
    ? []
    : (call.artifacts ?? []).filter(isImage).map(({ id }) => id);

const isImage = ({ media_type }: { media_type: string }): boolean => isRasterImage(media_type);
