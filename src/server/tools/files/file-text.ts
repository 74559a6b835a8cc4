import { isUtf8 } from "node:buffer";
import { fileTypeFromBuffer } from "file-type";
import { SECRET_MASK } from "@/lib/redact-secrets";
import { ToolFailure } from "@/server/tools/tool-result";
import { quotePath } from "@/server/tools/workspace/workspace-path";

/** A NUL within these bytes marks a binary file; git checks as many. */
const BINARY_CHECK_BYTES = 8_000;

export const isText = (bytes: Uint8Array): boolean =>
  !bytes.subarray(0, BINARY_CHECK_BYTES).includes(0) && isUtf8(bytes);

/** Decodes a text with its byte order mark. @throws {ToolFailure} for a binary file. */
export const decodeText = async (bytes: Uint8Array, path: string): Promise<string> => {
  if (!isText(bytes)) throw new ToolFailure(await describeBinary(bytes, path));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
};

/** Says what a binary file is and, for an image, how to look at it. */
export const describeBinary = async (bytes: Uint8Array, path: string): Promise<string> => {
  const type = await fileTypeFromBuffer(bytes);
  const size = `${bytes.length} bytes`;
  if (type?.mime.startsWith("image/")) {
    return `${quotePath(path)} is an image (${type.mime}, ${size}), not text. Look at it with load_image.`;
  }
  return type
    ? `${quotePath(path)} is a binary file (${type.mime}, ${size}), not text.`
    : `${quotePath(path)} is not UTF-8 text but a binary file of ${size}.`;
};

/**
 * What a model reads has the mask where the file has a secret, which a write of it would destroy.
 *
 * @throws {ToolFailure} for a text that has the mask.
 */
export const refuseMaskedText = (text: string, path: string): void => {
  if (!text.includes(SECRET_MASK)) return;
  throw new ToolFailure(
    `${quotePath(path)} was not written: the content has "${SECRET_MASK}", which stands for a secret that you were not shown, and would replace that secret in the file. Write a content without it, or ask the user to make this change.`,
  );
};
