import { randomUUID } from "node:crypto";

type Body = Record<string, unknown>;
/** A tool as the client converts it for each request. Its values are the same each time, these two objects are not. */
type ConvertedTool = {
  function: { name: string; description?: string; parameters: unknown; strict?: boolean };
};
type Known = { tools: readonly ConvertedTool[]; json: Uint8Array };

/** Lists of tools that are kept: those of chats that have chosen other tools. */
const MAX_KNOWN = 16;

/**
 * Serializes the tools of requests once for each list of them, as hundreds are most of a request, and the same in each.
 *
 * A body is sent in two steps: `replaceTools` puts a random id in their place, before the client makes a text of it, and
 * `encode` puts their JSON in the place of the id. No text can have it, as quotes inside of texts are escaped.
 */
export const createToolsJson = () => {
  const known: Known[] = [];
  /** By the ids in bodies that are not encoded yet. */
  const pending = new Map<string, Uint8Array>();

  const serialize = (tools: readonly ConvertedTool[]): Uint8Array => {
    const found = known.find((one) => isSame(one.tools, tools));
    if (found) return found.json;
    const json = Buffer.from(JSON.stringify(tools));
    known.unshift({ tools, json });
    known.splice(MAX_KNOWN);
    return json;
  };

  return {
    replaceTools: (body: Body): Body => {
      if (!Array.isArray(body.tools)) return body;
      const id = randomUUID();
      pending.set(id, serialize(body.tools as ConvertedTool[]));
      return { ...body, tools: id };
    },
    encode: (body: string): Uint8Array[] => {
      for (const [id, json] of pending) {
        const place = `"tools":"${id}"`;
        const start = body.lastIndexOf(place);
        if (start === -1) continue;
        pending.delete(id);
        const end = start + place.length;
        return [Buffer.from(`${body.slice(0, start)}"tools":`), json, Buffer.from(body.slice(end))];
      }
      return [Buffer.from(body)];
    },
  };
};

const isSame = (one: readonly ConvertedTool[], other: readonly ConvertedTool[]): boolean => {
  if (one.length !== other.length) return false;
  return one.every((tool, index) => isSameTool(tool.function, other[index]?.function));
};

/** By name, as lists of the keys would be most of the time that a comparison takes. */
const isSameTool = (
  one: ConvertedTool["function"],
  other: ConvertedTool["function"] | undefined,
): boolean =>
  one.name === other?.name &&
  one.parameters === other.parameters &&
  one.description === other.description &&
  one.strict === other.strict;
