import { createHash } from "node:crypto";
import type { StoredResponse } from "@/server/db/chats/rows";
import { includesTag } from "./rest/file-response";

/** A text that is the same until the server is another one, and its entity tag. */
export type TaggedText = { text: string; etag: string };

export const toTaggedText = (text: string): TaggedText => ({
  text,
  etag: `"${createHash("sha256").update(text).digest("base64url")}"`,
});

/** Answers with a text, or that the client has it. */
export const sendTaggedText = (
  { text, etag }: TaggedText,
  { headers, type }: { headers: Headers; type: string },
): StoredResponse => {
  // Asked for again each time, as an update of the server changes it.
  const cache = { etag, "cache-control": "no-cache" };
  return includesTag(headers.get("if-none-match"), etag)
    ? { status: 304, headers: cache, body: null }
    : { status: 200, headers: { "content-type": type, ...cache }, body: text };
};
