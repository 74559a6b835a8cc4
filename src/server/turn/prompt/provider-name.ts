import { MAX_CALL_ID_LENGTH } from "@/server/model/stream/tool-call-assembler";

/** Longest tool name that all providers accept. */
const MAX_NAME_LENGTH = 64;

const sanitize = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, "_");

/** Converts a tool name, which a model may have made up, to one that all providers accept. */
export const toProviderToolName = (name: string): string =>
  sanitize(name).slice(0, MAX_NAME_LENGTH) || "unknown";

/**
 * Creates a function that gives each call of a prompt an id that all providers accept and no call before it
 * has. Older histories have others. The same history gives the same ids, which keeps prompt caches valid.
 */
export const createCallIds = (): ((id: string) => string) => {
  const used = new Set<string>();
  return (id) => {
    const accepted = sanitize(id).slice(0, MAX_CALL_ID_LENGTH) || "call";
    let unique = accepted;
    for (let number = used.size; used.has(unique); number += 1) {
      const suffix = `_${number}`;
      unique = `${accepted.slice(0, MAX_CALL_ID_LENGTH - suffix.length)}${suffix}`;
    }
    used.add(unique);
    return unique;
  };
};
