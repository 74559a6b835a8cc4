import type { ErrorKind } from "@/contract/chat-error";

const TITLE: Record<ErrorKind, string> = {
  overloaded: "Service overloaded",
  rate_limit: "Rate limited",
  timeout: "Request timed out",
  stalled: "Response stalled",
  auth: "Authentication failed",
  quota: "Usage limit reached",
  config: "Configuration error",
  missing_key: "API key missing",
  content_filter: "Response blocked",
  context_overflow: "Conversation too long",
  generic: "Request failed",
};

export const toErrorTitle = (kind: ErrorKind): string => TITLE[kind];

/** Returns the title during a retry, when "Request failed" would sound final. */
export const toRetryTitle = (kind: ErrorKind): string =>
  kind === "generic" ? "Retrying request" : TITLE[kind];
