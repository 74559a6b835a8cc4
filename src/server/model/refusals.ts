import type {
  LanguageModelV4,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
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

/** What the server of a client has refused: images, PDFs, parameters, and tools by name with the schema that was refused. */
type Refusals = {
  images: boolean;
  pdfs: boolean;
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
  { images, tools: schemas }: Pick<Refusals, "images" | "tools">,
): StepRequest => {
  const isRefused = ({ name, inputSchema }: LanguageModelV4FunctionTool): boolean =>
    schemas.has(name) && schemas.get(name) === JSON.stringify(inputSchema);
  const { prompt, tools } = request;
  return {
    ...request,
    prompt: images ? withoutImages(prompt) : prompt,
    tools: tools.some(isRefused) ? tools.filter((tool) => !isRefused(tool)) : tools,
  };
};

/**
 * Records what a server refuses of a request.
 *
 * @returns what the next request goes without; undefined if the server names nothing that can be left out.
 */
export const recordRefusal = (
  { client, label }: ChatModel,
  { prompt, tools, ...sent }: Pick<StepRequest, "prompt" | "tools"> & SentLimits,
  outcome: Failure,
): "pdfs" | "others" | undefined => {
  if (outcome.parts.length > 0) return undefined;
  const refusals = refusalsByClient.get(client) ?? createRefusals();
  const tool = findRefusedTool(outcome, tools);
  if (tool) {
    refusals.tools.set(tool.name, JSON.stringify(tool.inputSchema));
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

/** How servers name one tool of a request: by its place in the list, or by its name. */
const PLACES = [/function_?declarations\[(\d+)\]/i, /\btools(?:\.|\[)(\d+)\b/i];
const NAME = /\b(?:function|tool)(?: named)?:? [`'"]([\w-]{1,64})[`'"]/i;
/** Statuses of a request that can never work as it is. */
const REFUSED = [400, 422];

const findRefusedTool = (
  { failure }: Failure,
  tools: readonly LanguageModelV4FunctionTool[],
): LanguageModelV4FunctionTool | undefined => {
  const { kind, status_code: status = 0, detail = "" } = failure;
  if (kind !== "config" || !REFUSED.includes(status)) return undefined;
  for (const pattern of PLACES) {
    const place = pattern.exec(detail)?.[1];
    if (place !== undefined) return tools[Number(place)];
  }
  const name = NAME.exec(detail)?.[1];
  return tools.find((tool) => tool.name === name);
};
