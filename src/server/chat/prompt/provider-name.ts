/** Longest tool name that providers take. */
const MAX_NAME_LENGTH = 64;

const safe = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, "_");

/** A tool's name as every provider takes it, also one that a model made up. */
export const providerToolName = (name: string): string =>
  safe(name).slice(0, MAX_NAME_LENGTH) || "unknown";

/** A call's id as every provider takes it; another one may have made it. */
export const providerCallId = (id: string): string => safe(id);
