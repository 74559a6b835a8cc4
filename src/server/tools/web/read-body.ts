import type { Response } from "undici";

export type Body = {
  bytes: Uint8Array;
  /** Whether more followed. */
  isCut: boolean;
};

/**
 * Reads a body until its end or the limit. It is unpacked while it is read, so that a small one that unpacks
 * to a large one takes no more memory than the limit.
 *
 * @throws when the body cannot be unpacked, the connection ends before it, or the request was aborted.
 */
export const readBody = async ({ body }: Response, maxBytes: number): Promise<Body> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.length;
    // Leaving the loop cancels the rest.
    if (length > maxBytes) break;
  }
  const bytes = Buffer.concat(chunks);
  return { bytes: bytes.subarray(0, maxBytes), isCut: length > maxBytes };
};
