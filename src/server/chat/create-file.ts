import { DomainError } from "@/contract/domain-error";
import { isHeic, isRasterImage, toFileKind } from "@/contract/file-kind";
import type { Artifact } from "@/contract/part";
import type { ServerContext } from "@/server/context";
import type { Viewer } from "@/server/db/chats/viewer";
import { insertArtifact } from "@/server/db/chats/artifact-writes";
import type { Transaction } from "@/server/db/connection/database";
import { insertRendition } from "@/server/db/sql/writes/renditions";
import { unknownChat } from "@/server/machine/lock-chat";
import { detectFileType, detectMediaType } from "@/server/tools/artifacts/detect-media-type";
import { isDecoderBusy, type SizedImage, toModelImage } from "@/server/tools/artifacts/model-image";

type CreateFile = {
  /** Without one, the file becomes one of the chat of the message that has it. */
  chatId?: string | undefined;
  name: string | undefined;
  /** What the client says that it is. */
  declaredType?: string | undefined;
  bytes: Uint8Array;
  /** Throws what refuses the file, before anything is stored. */
  requireRight?: (tx: Transaction) => Promise<void>;
};

/**
 * Stores a file for a chat. What it is, is found by its content.
 *
 * @throws {DomainError} `invalid` for a HEIC image, or when the content is not what was declared; `not_found`,
 *   `payload_too_large`, `limit_exceeded`.
 */
export const createFile = async (
  { db, actor, newId }: Pick<ServerContext, "db" | "newId"> & { actor: Viewer },
  { chatId, declaredType, bytes, requireRight, ...file }: CreateFile,
): Promise<Artifact> => {
  const name = file.name ?? `file.${(await detectFileType(bytes))?.ext ?? "txt"}`;
  const mediaType = await detectMediaType(bytes, name);
  checkType(mediaType, declaredType);
  const image = isRasterImage(mediaType) ? await readImage(bytes) : undefined;
  return db.transaction(async (tx) => {
    await requireRight?.(tx);
    const artifact = await insertArtifact(tx, {
      id: newId(),
      chatId: chatId ?? null,
      viewer: actor,
      toolCallId: null,
      name,
      mediaType,
      bytes,
      pixels: image && { width: image.width, height: image.height },
    });
    if (!artifact) throw unknownChat(chatId ?? "");
    if (image) await insertRendition(tx, artifact.id, toRendition(image));
    return artifact;
  });
};

const toRendition = ({ mediaType, bytes }: SizedImage) =>
  ({ kind: "image", mediaType, bytes }) as const;

const checkType = (mediaType: string, declaredType: string | undefined): void => {
  if (isHeic(mediaType)) {
    throw new DomainError(
      "invalid",
      "HEIC images cannot be shown here, as browsers and models do not read them. Send it as JPEG or PNG.",
    );
  }
  if (declaredType === undefined) return;
  const [kind, declared] = [toFileKind(mediaType), toFileKind(declaredType)];
  // Texts have many names, and one image format is as good as another.
  if (kind === declared || ![kind, declared].some((one) => one === "image" || one === "pdf"))
    return;
  throw new DomainError(
    "invalid",
    `The file was sent as ${declaredType}, but is ${mediaType} by its content.`,
    { errors: [{ pointer: "/file", message: `is ${mediaType}` }] },
  );
};

/** @returns undefined for an image that no model can be shown, which is a file like others then. */
const readImage = async (bytes: Uint8Array): Promise<SizedImage | undefined> => {
  if (isDecoderBusy()) {
    throw new DomainError("limit_exceeded", "This server reads many other files now. Try again.", {
      retryAfterSeconds: BUSY_RETRY_SECONDS,
    });
  }
  return toModelImage(bytes).catch(() => undefined);
};

/** About the time in which an image is decoded. */
const BUSY_RETRY_SECONDS = 2;
