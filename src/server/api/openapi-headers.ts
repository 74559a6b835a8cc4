import { MAX_WAIT_SECONDS } from "@/contract/limits";

// The headers that requests and answers may have.

export const CONTENT_DISPOSITION = {
  name: "Content-Disposition",
  in: "header",
  required: false,
  description: "The name of a file that is sent alone, such as `attachment; filename=a.csv`",
  schema: { type: "string" },
};

export const RANGE = {
  name: "Range",
  in: "header",
  description: "One range, such as `bytes=0-1023`",
  schema: { type: "string" },
};

export const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Repeating the request with the same key and body gives the first answer again, for 24 hours; a request that was refused is decided anew",
  schema: { type: "string", maxLength: 255 },
};

export const PREFER = {
  name: "Prefer",
  in: "header",
  description: `With \`wait=N\`, up to ${MAX_WAIT_SECONDS}, the answer comes when the chat rests, fails, or waits for a client, itself or by an agent, or after N seconds; it then has \`Preference-Applied: wait\`. Before the server stops, it comes at once`,
  schema: { type: "string", example: "wait=20" },
};

export const LAST_EVENT_ID = {
  name: "Last-Event-ID",
  in: "header",
  description: "As `after`, sent by browsers that connect again",
  schema: { type: "integer" },
};

export const IF_MATCH = {
  name: "If-Match",
  in: "header",
  description:
    "The version that the chat must have, in quotes as in its `ETag`; otherwise 409 with the reason `version_mismatch`, and nothing changes",
  schema: { type: "string", example: '"3"' },
};

export const LOCATION = { description: "Where it is", schema: { type: "string" } };

export const ETAG = { description: "Its version, in quotes", schema: { type: "string" } };
