import { isUnavailable } from "@/contract/domain-error";
import { isRasterImage } from "@/contract/file-kind";
import { toFileUrl } from "@/lib/file-url";
import type { ChatRow } from "@/server/db/chats/rows";
import type { StepOutcome, StepPart } from "@/server/model/model-step";
import { describeImage, leaveOutImage } from "@/server/model/stream/answer-images";
import { detectFileType } from "@/server/tools/artifacts/detect-media-type";
import { ToolFailure } from "@/server/tools/tool-result";
import { toToolChat } from "./turn-tools";
import type { StopReason, TurnDeps } from "./turn-deps";

type ImageDeps = Pick<TurnDeps, "saveArtifact" | "log" | "signal">;
type ImagePart = Extract<StepPart, { type: "text" }> & { image: string };

/**
 * Stores the images of an answer that will be committed as files of its chat, and links them in its texts. Those of an
 * answer that is not committed are left out.
 */
export const storeImages = async (
  deps: ImageDeps,
  chat: ChatRow,
  outcome: StepOutcome,
): Promise<StepOutcome> => {
  if (!outcome.parts.some(isImagePart)) return outcome;
  const isCommitted = outcome.type === "finished" || isInterrupted(deps.signal);
  const parts: StepPart[] = [];
  let number = 0;
  for (const part of outcome.parts) {
    if (!isImagePart(part)) parts.push(part);
    else if (isCommitted) {
      const { image, ...rest } = part;
      parts.push({ ...rest, text: await storeImage(deps, chat, { image, number: ++number }) });
    }
  }
  return { ...outcome, parts };
};

const isImagePart = (part: StepPart): part is ImagePart =>
  part.type === "text" && part.image !== undefined;

const isInterrupted = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && (reason as StopReason) === "interrupted";

/** @returns Markdown with the image, or with why there is none. */
const storeImage = async (
  { saveArtifact, log }: ImageDeps,
  chat: ChatRow,
  { image, number }: { image: string; number: number },
): Promise<string> => {
  const bytes = Buffer.from(image, "base64");
  // What the provider says of its type may be wrong.
  const type = await detectFileType(bytes);
  if (!type || !isRasterImage(type.mime)) {
    return describeImage(leaveOutImage("it is no PNG, JPEG, GIF, WebP or AVIF image"));
  }
  const file = { name: `image-${number}.${type.ext}`, mediaType: type.mime, bytes };
  try {
    const { id, name } = await saveArtifact({ ...toToolChat(chat), toolCallId: null }, file);
    return `![${name}](${toFileUrl(id)})`;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    log.error({ err: error, chatId: chat.id }, "image of an answer not stored");
    const reason = error instanceof ToolFailure ? error.message : "It could not be stored.";
    return describeImage({ problem: `An image of this answer is left out. ${reason}` });
  }
};
