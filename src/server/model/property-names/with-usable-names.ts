import { ReadableStream } from "node:stream/web";
import type {
  JSONSchema7,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from "@ai-sdk/provider";
import type { JsonValue } from "@/contract/json";
import { parseExactJson } from "@/lib/exact-json";
import { memoizeByObject } from "@/lib/memoize-by-object";
import { wrapStream } from "@/server/model/catalog/map-options";
import { createKeyMapper, mapKeys } from "./key-mapper";
import { createAliases, type PropertyAliases, renameProperties } from "./property-aliases";

type Tools = NonNullable<LanguageModelV4CallOptions["tools"]>;
type AliasesByTool = ReadonlyMap<string, PropertyAliases>;

/**
 * Wraps a model whose provider refuses some names of properties: it gets others in their place, in the schemas of tools and in
 * earlier calls, and its caller gets calls with the names that the tools have declared.
 */
export const withUsableNames = (model: LanguageModelV4): LanguageModelV4 =>
  wrapStream(model, async (options) => {
    const { tools, byTool } = renameTools(options.tools ?? NO_TOOLS);
    if (byTool.size === 0) return model.doStream(options);
    const prompt = renamePrompt(options.prompt, byTool);
    const { stream, ...result } = await model.doStream({ ...options, prompt, tools });
    const parts = ReadableStream.from(restoreNames(stream, byTool));
    return { ...result, stream: parts as LanguageModelV4StreamResult["stream"] };
  });

const NO_TOOLS: Tools = [];

/** Lists of tools do not change, and the same one is sent in each step. */
const renameTools = memoizeByObject((tools: Tools): { tools: Tools; byTool: AliasesByTool } => {
  const byTool = new Map<string, PropertyAliases>();
  const renamed = tools.map((tool) => {
    const schema = tool.type === "function" ? (tool.inputSchema as JsonValue) : null;
    const aliases = createAliases(schema);
    if (!aliases) return tool;
    byTool.set(tool.name, aliases);
    return { ...tool, inputSchema: renameProperties(schema, aliases) as JSONSchema7 };
  });
  return { tools: renamed, byTool };
});

const renamePrompt = (
  prompt: LanguageModelV4Prompt,
  byTool: AliasesByTool,
): LanguageModelV4Prompt =>
  prompt.map((message) => {
    if (message.role !== "assistant") return message;
    const content = message.content.map((part) => {
      const aliases = part.type === "tool-call" ? byTool.get(part.toolName) : undefined;
      if (part.type !== "tool-call" || !aliases) return part;
      const input = mapKeys(JSON.stringify(part.input), aliases.toAlias);
      return { ...part, input: parseExactJson(input) };
    });
    return { ...message, content };
  });

/** Gives the properties of calls their names again. */
async function* restoreNames(
  stream: AsyncIterable<LanguageModelV4StreamPart>,
  byTool: AliasesByTool,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const mappers = new Map<string, ReturnType<typeof createKeyMapper>>();
  for await (const part of stream) {
    if (part.type === "tool-input-start") {
      const aliases = byTool.get(part.toolName);
      if (aliases) mappers.set(part.id, createKeyMapper(aliases.toName));
      yield part;
    } else if (part.type === "tool-input-delta") {
      const mapper = mappers.get(part.id);
      yield mapper ? { ...part, delta: mapper.map(part.delta) } : part;
    } else if (part.type === "tool-call") {
      const aliases = byTool.get(part.toolName);
      yield aliases ? { ...part, input: mapKeys(part.input, aliases.toName) } : part;
    } else yield part;
  }
}
