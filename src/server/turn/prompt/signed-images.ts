import { isUnavailable } from "@/contract/domain-error";
import type { HistoryMessage, PartRow } from "@/server/db/chats/rows";
import type { ArtifactDeps } from "@/server/tools/artifacts/named-file";
import type { ToolChat, ToolLog } from "@/server/tools/tool-context";

/** Images of answers that one prompt has; a model that edits one needs the last ones. */
const MAX_IMAGES = 5;
/** Of these images together: in base64 they are below the 20 MB of a request that Google takes. */
const MAX_BYTES = 12_000_000;

type SignedImage = { mediaType: string; bytes: Uint8Array };

/** Images by the ids of their files. */
export type SignedImages = ReadonlyMap<string, SignedImage>;

type ImageDeps = Pick<ArtifactDeps, "openArtifact"> & { log: Pick<ToolLog, "warn"> };

const IMAGE = /^!\[[^\]]*\]\(\/api\/v1\/files\/([\da-f-]{36})\)$/;

/** @returns the id of the file of an image that its model has signed. */
export const findSignedImage = (part: PartRow): string | undefined =>
  part.type === "text" && part.providerMetadata?.google?.thoughtSignature !== undefined
    ? IMAGE.exec(part.text)?.[1]
    : undefined;

/**
 * Loads the last images of answers that must come back to the model of Google that has made them, as it checks its signature
 * of each.
 *
 * @param model "provider/model" that reads the prompt.
 */
export const loadSignedImages = async (
  { openArtifact, log }: ImageDeps,
  { chat, history, model }: { chat: ToolChat; history: readonly HistoryMessage[]; model: string },
): Promise<SignedImages> => {
  const images = new Map<string, SignedImage>();
  const own = history.filter((message) => message.model === model);
  const ids = own.flatMap(({ parts }) => parts.flatMap((part) => findSignedImage(part) ?? []));
  let size = 0;
  for (const id of ids.slice(-MAX_IMAGES).reverse()) {
    try {
      const file = await openArtifact(chat, id);
      if (!file || size + file.size > MAX_BYTES) continue;
      size += file.size;
      images.set(id, { mediaType: file.media_type, bytes: await file.read() });
    } catch (error) {
      if (isUnavailable(error)) throw error;
      log.warn({ err: error, artifactId: id }, "image of an answer not returned to its model");
    }
  }
  return images;
};
