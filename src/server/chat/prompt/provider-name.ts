/** Longest tool name that all providers accept. */
const MAX_NAME_LENGTH = 64;

const sanitize = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, "_");

/** Converts a tool name, which a model may have made up, to one that all providers accept. */
export const toProviderToolName = (name: string): string =>
  sanitize(name).slice(0, MAX_NAME_LENGTH) || "unknown";

/** Converts a call id, which may come from another provider, to one that all providers accept. */
export const toProviderCallId = (id: string): string => sanitize(id);
