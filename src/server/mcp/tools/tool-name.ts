import { createHash } from "node:crypto";

/** Names that every provider accepts. */
const MAX_NAME_LENGTH = 64;
const HASH_LENGTH = 8;

/**
 * The name by which models call a tool of a server. A name that providers would refuse is changed, and has a hash
 * of the original, so that two tools do not get the same one.
 */
export const toToolName = (server: string, tool: string): string => {
  const name = `${server}_${tool}`;
  const usable = name.replace(/[^A-Za-z0-9_-]/g, "_");
  if (usable === name && name.length <= MAX_NAME_LENGTH) return name;
  const hash = createHash("sha256").update(name.toWellFormed()).digest("hex").slice(0, HASH_LENGTH);
  return `${usable.slice(0, MAX_NAME_LENGTH - HASH_LENGTH - 1)}_${hash}`;
};
