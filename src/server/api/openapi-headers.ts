import { MAX_WAIT_SECONDS } from "@/contract/limits";
import type { Json } from "./openapi-schemas";

const TEXT = { type: "string" };

/** The headers that requests may have. */
export const PARAMETERS = {
  ContentDisposition: {
    name: "Content-Disposition",
    description: "The name of a file that is sent alone, such as `attachment; filename=a.csv`",
    schema: { ...TEXT, examples: ["attachment; filename=a.csv"] },
  },
  Range: {
    name: "Range",
    description: "One range of bytes",
    schema: { ...TEXT, examples: ["bytes=0-1023"] },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    description: "The `ETag` of what the client has: if that is still so, the answer is a `304`",
    schema: { ...TEXT, examples: ['"3"'] },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    description:
      "Repeating the request with the same key and body gives the first answer again, for 24 hours; a request that was refused is decided anew",
    schema: { ...TEXT, maxLength: 255, examples: ["0198c0de-0000-4000-8000-000000000001"] },
  },
  Prefer: {
    name: "Prefer",
    description: `With \`wait=N\`, up to ${MAX_WAIT_SECONDS}, the answer comes when the chat rests, fails, or waits for a client, itself or by an agent, or after N seconds; it then has \`Preference-Applied: wait\`. Before the server stops, it comes at once`,
    schema: { ...TEXT, examples: ["wait=20"] },
  },
  LastEventId: {
    name: "Last-Event-ID",
    description: "As `after`, sent by browsers that connect again",
    schema: { ...TEXT, examples: ["3"] },
  },
  IfMatch: {
    name: "If-Match",
    description:
      "The version that it must have, in quotes as in its `ETag`; otherwise 409 with the reason `version_mismatch`, and nothing changes",
    schema: { ...TEXT, examples: ['"3"'] },
  },
};

/** The headers that answers may have. */
export const HEADERS = {
  RequestId: {
    description:
      "Finds the request in the log of the server: that of the request, if it has one, else a new one",
    schema: TEXT,
  },
  Location: { description: "The path of what was made", schema: TEXT },
  ETag: { description: "Its version, in quotes", schema: TEXT },
  IdempotencyReplayed: {
    description: "`true` for the answer to an earlier request with the same `Idempotency-Key`",
    schema: TEXT,
  },
  PreferenceApplied: { description: "`wait`, if the answer has waited", schema: TEXT },
  AcceptRanges: { description: "`bytes`: parts of the file can be asked for", schema: TEXT },
  ContentRange: {
    description: "Which bytes of the file these are, such as `bytes 0-1023/4096`",
    schema: TEXT,
  },
  ContentDisposition: { description: "The name of the file", schema: TEXT },
  RetryAfter: {
    description: "In how many seconds a repetition may succeed",
    schema: { type: "integer" },
  },
  ShouldRetry: {
    description: "`false` if the same request will be refused again",
    schema: TEXT,
  },
  Allow: { description: "The methods that the path has", schema: TEXT },
  Authenticate: { description: "`Bearer`", schema: TEXT },
};

type HeaderName = keyof typeof HEADERS;

/** As they are sent. */
const SENT_NAMES: Record<HeaderName, string> = {
  RequestId: "X-Request-Id",
  Location: "Location",
  ETag: "ETag",
  IdempotencyReplayed: "Idempotency-Replayed",
  PreferenceApplied: "Preference-Applied",
  AcceptRanges: "Accept-Ranges",
  ContentRange: "Content-Range",
  ContentDisposition: "Content-Disposition",
  RetryAfter: "Retry-After",
  ShouldRetry: "X-Should-Retry",
  Allow: "Allow",
  Authenticate: "WWW-Authenticate",
};

export const createParameters = (): Json =>
  Object.fromEntries(
    Object.entries(PARAMETERS).map(([name, parameter]) => [
      name,
      { ...parameter, in: "header", required: false },
    ]),
  );

export const referToParameter = (name: keyof typeof PARAMETERS): Json => ({
  $ref: `#/components/parameters/${name}`,
});

/** The headers of an answer: all have the id of the request. */
export const referToHeaders = (...names: HeaderName[]): Json =>
  Object.fromEntries(
    (["RequestId", ...names] satisfies HeaderName[]).map((name) => [
      SENT_NAMES[name],
      { $ref: `#/components/headers/${name}` },
    ]),
  );
