import { randomUUID } from "node:crypto";
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";

type Tools = NonNullable<LanguageModelV4CallOptions["tools"]>;
type Body = Record<string, unknown>;
/** A tool as the client converts it. */
type ConvertedTool = { function: { name: string } };

/**
 * Converts and serializes the tools of requests once for each list of them, as hundreds are most of a request, and the same
 * in each.
 *
 * `toClient` gives the client one tool in their place, which has a random name. `replaceTools` replaces what the client has
 * converted by this name, before the client makes a text of the body, and `encode` puts the JSON of the tools in the place
 * of the name. No text can have it, as quotes inside of texts are escaped.
 */
export const createToolsJson = () => {
  const json = new WeakMap<Tools, Uint8Array>();
  const prefix = randomUUID();
  /** The tools of requests that have no answer yet, by the names in their place. */
  const pending = new Map<string, Tools>();
  let count = 0;

  return {
    /** Creates a client that calls the given one with a tool in the place of all. It takes lists that do not change. */
    toClient: (client: LanguageModelV4): LanguageModelV4 => ({
      specificationVersion: "v4",
      provider: client.provider,
      modelId: client.modelId,
      supportedUrls: client.supportedUrls,
      doGenerate: (options) => client.doGenerate(options),
      doStream: async (options) => {
        const { tools = [] } = options;
        if (tools.length === 0) return client.doStream(options);
        const name = `${prefix}-${count++}`;
        const place: Tools[number] = { type: "function", name, inputSchema: {} };
        pending.set(name, tools);
        try {
          // The first time, the client converts the tools too.
          const sent = json.has(tools) ? [place] : [place, ...tools];
          return await client.doStream({ ...options, tools: sent });
        } finally {
          pending.delete(name);
        }
      },
    }),
    replaceTools: (body: Body): Body => {
      if (!Array.isArray(body.tools)) return body;
      const [place, ...converted] = body.tools as ConvertedTool[];
      const tools = place && pending.get(place.function.name);
      if (tools === undefined) return body;
      if (converted.length > 0) json.set(tools, Buffer.from(JSON.stringify(converted)));
      return { ...body, tools: place?.function.name };
    },
    encode: (body: string): Uint8Array[] => {
      const start = body.lastIndexOf(`"tools":"${prefix}-`);
      if (start === -1) return [Buffer.from(body)];
      const nameStart = start + `"tools":"`.length;
      const nameEnd = body.indexOf(`"`, nameStart);
      const tools = pending.get(body.slice(nameStart, nameEnd));
      const toolsJson = tools && json.get(tools);
      if (toolsJson === undefined) throw new Error("A request was sent after its call had ended.");
      return [
        Buffer.from(`${body.slice(0, start)}"tools":`),
        toolsJson,
        Buffer.from(body.slice(nameEnd + 1)),
      ];
    },
  };
};
