import type {
  LanguageModelV4,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4ProviderTool,
} from "@ai-sdk/provider";
import type { Effort } from "@/contract/efforts";
import { log } from "@/server/log";
import { hasImages, hasPdfs, withoutImages } from "./adapt-prompt";
import type { ChatModel, FileRefusal, StepOutcome, StepRequest } from "./model-step";
import {
  readParameterRefusal,
  type RefusableParameter,
  type SentLimits,
} from "./parameter-refusals";

type Failure = Extract<StepOutcome, { type: "failed" }>;

/** What the server of a client has refused. */
type Refusals = {
  images: boolean;
  pdfs: boolean;
  /** By name, with the schema that was refused; those that it runs itself by their ids, with their arguments. */
  tools: Map<string, string>;
  parameters: Set<RefusableParameter>;
  /** The efforts that it has named instead. */
  efforts?: readonly Effort[];
  /** The highest limit of an answer that it takes. */
  maxOutputTokens?: number;
};

/** All further requests of a client go without what was refused, a tool as long as its schema is the same. */
export const refusalsByClient = new WeakMap<LanguageModelV4, Refusals>();

/** Leaves out of a request what its server has refused. */
export const omitRefused = (
  request: StepRequest,
  { images, tools: refused }: Pick<Refusals, "images" | "tools">,
): StepRequest => {
  const isRefused = (tool: AnyTool): boolean => {
    const key = toKey(tool);
    return refused.has(key) && refused.get(key) === toDefinition(tool);
  };
  const { prompt, tools, providerTools } = request;
  return {
    ...request,
    prompt: images ? withoutImages(prompt) : prompt,
    tools: tools.some(isRefused) ? tools.filter((tool) => !isRefused(tool)) : tools,
    ...(providerTools?.some(isRefused) && {
      providerTools: providerTools.filter((tool) => !isRefused(tool)),
    }),
  };
};

/**
 * Records what a server refuses of a request.
 *
 * @returns what the next request goes without; undefined if the server names nothing that can be left out.
 */
export const recordRefusal = (
  { client, label }: ChatModel,
  {
    prompt,
    tools,
    providerTools = [],
    ...sent
  }: Pick<StepRequest, "prompt" | "tools" | "providerTools"> & SentLimits,
  outcome: Failure,
): "pdfs" | "others" | undefined => {
  if (outcome.parts.length > 0) return undefined;
  const refusals = refusalsByClient.get(client) ?? createRefusals();
  const tool = findRefusedTool(outcome, { tools, providerTools });
  if (tool) {
    refusals.tools.set(toKey(tool), toDefinition(tool));
    const { detail } = outcome.failure;
    log().warn({ model: label, tool: tool.name, detail }, "tool left out: its server refuses it");
  } else if (!recordParameter(refusals, outcome, sent)) {
    const file = outcome.refuses && findRefusedFile(outcome.refuses, prompt);
    if (!file) return undefined;
    // Other documents may be taken.
    if (file === "document") return "pdfs";
    refusals[file] = true;
    refusalsByClient.set(client, refusals);
    return file === "pdfs" ? file : "others";
  }
  refusalsByClient.set(client, refusals);
  return "others";
};

const createRefusals = (): Refusals => ({
  images: false,
  pdfs: false,
  tools: new Map(),
  parameters: new Set(),
});

/** @returns whether a parameter was refused that the next request goes without, or has another value of. */
const recordParameter = (refusals: Refusals, { failure }: Failure, sent: SentLimits): boolean => {
  const refused = readParameterRefusal(failure, sent);
  if (!refused) return false;
  if (refused.type === "maxOutputTokens") refusals.maxOutputTokens = refused.limit;
  else if (refused.type === "efforts" && !refusals.efforts) refusals.efforts = refused.efforts;
  else refusals.parameters.add(refused.type === "parameter" ? refused.name : "reasoning");
  return true;
};

/** Some servers say of all that is no text the same. */
const findRefusedFile = (
  { images, pdfs, document }: FileRefusal,
  prompt: LanguageModelV4Prompt,
): keyof FileRefusal | undefined => {
  const withImages = hasImages(prompt);
  if (hasPdfs(prompt)) {
    if (document) return "document";
    if (pdfs || (images && !withImages)) return "pdfs";
  }
  return images && withImages ? "images" : undefined;
};

type AnyTool = LanguageModelV4FunctionTool | LanguageModelV4ProviderTool;

const toKey = (tool: AnyTool): string => (tool.type === "provider" ? tool.id : tool.name);

const toDefinition = (tool: AnyTool): string =>
  JSON.stringify(tool.type === "provider" ? tool.args : tool.inputSchema);

/** How servers name one tool of a request: by its place in the list, or by its name. */
const FUNCTION_PLACE = /function_?declarations\[(\d+)\]/i;
const PLACE = /\btools(?:\.|\[)(\d+)\b/i;
const PROMPT_PLACE = /\b(?:messages|input|contents)(?:\.|\[)\d/i;
const NAME = /\b(?:function|tool)(?: named)?:? [`'"]([\w-]{1,64})[`'"]/i;
/** Statuses of a request that can never work as it is. */
const REFUSED = [400, 422];

type SentTools = {
  tools: readonly LanguageModelV4FunctionTool[];
  providerTools: readonly LanguageModelV4ProviderTool[];
};

const findRefusedTool = (
  { failure }: Failure,
  { tools, providerTools }: SentTools,
): AnyTool | undefined => {
  const { kind, status_code: status = 0, detail = "" } = failure;
  if (kind !== "config" || !REFUSED.includes(status)) return undefined;
  const functionPlace = FUNCTION_PLACE.exec(detail)?.[1];
  if (functionPlace !== undefined) return tools[Number(functionPlace)];
  const place = PLACE.exec(detail)?.[1];
  if (place !== undefined) return [...providerTools, ...tools][Number(place)];
  const name = NAME.exec(detail)?.[1];
  // What is wrong with a call in the prompt is not mended by leaving out its tool.
  const isOfPrompt = PROMPT_PLACE.test(detail);
  return (
    tools.find((tool) => tool.name === name) ??
    providerTools.find((tool) => tool.name === name || (!isOfPrompt && isNamed(tool, detail)))
  );
};

/** Servers name their own tools in their words, such as `web_search_20250305`, "Code Interpreter" or "codeExecution". */
const isNamed = ({ id }: LanguageModelV4ProviderTool, detail: string): boolean => {
  const type = id.slice(id.indexOf(".") + 1).replace(/_\d+$/, "");
  return toLetters(detail).includes(toLetters(type));
};

const toLetters = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, "");
