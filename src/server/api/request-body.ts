import { randomUUID } from "node:crypto";
import { DomainError } from "@/contract/domain-error";
import { MAX_BODY_BYTES } from "@/contract/limits";
import { parseExactJson } from "@/lib/exact-json";

/** What the handlers of REST read of a request: one of the web, or one of Node without the cost of converting it. */
export type ApiRequest = Pick<Request, "method" | "url" | "headers" | "signal"> & {
  body: AsyncIterable<Uint8Array> | null;
};

/** Returns the client's request id, which correlates both logs, or a new one. */
export const getRequestId = (headers: Headers): string => {
  const given = headers.get("x-request-id");
  return given !== null && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
};

/**
 * Reads the body, never buffering more than the limit.
 *
 * @throws {DomainError} `payload_too_large`; `invalid` for a body that breaks off, whose client is gone.
 */
export const readBody = async (
  request: Pick<ApiRequest, "headers" | "body">,
  { maxBodyBytes = MAX_BODY_BYTES }: { maxBodyBytes?: number } = {},
): Promise<Uint8Array> => {
  if (Number(request.headers.get("content-length") ?? 0) > maxBodyBytes)
    throw createTooLargeError(maxBodyBytes);
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body) {
      size += chunk.byteLength;
      if (size > maxBodyBytes) throw createTooLargeError(maxBodyBytes);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof DomainError) throw cause;
    throw new DomainError("invalid", "The body has broken off before its end.", { cause });
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size);
};

/**
 * Parses a JSON body; an empty body is an empty object, for a POST without fields.
 *
 * @throws {DomainError} `invalid`.
 */
export const parseJsonBody = (bytes: Uint8Array): unknown => {
  if (bytes.length === 0) return {};
  try {
    return parseExactJson(UTF8_DECODER.decode(bytes));
  } catch (cause) {
    const why = cause instanceof SyntaxError ? `: ${cause.message}` : ": it is not valid UTF-8";
    throw new DomainError("invalid", `The body is no JSON${why}.`, {
      errors: [{ pointer: "", message: "must be JSON in UTF-8" }],
      cause,
    });
  }
};

/** Checks that the content type is JSON or absent. */
export const isJsonRequest = (headers: Headers): boolean => {
  const type = headers.get("content-type");
  return type === null || /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type.trim());
};

const UTF8_DECODER = new TextDecoder("utf-8", { fatal: true });

const createTooLargeError = (maxBytes: number): DomainError =>
  new DomainError("payload_too_large", `The body is over ${maxBytes} bytes.`, {
    shouldRetry: false,
  });
