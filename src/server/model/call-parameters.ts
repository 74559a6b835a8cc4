import type { LanguageModelV4 } from "@ai-sdk/provider";
import { type Effort, findNearestEffort } from "@/contract/efforts";
import { ALL_PROVIDERS } from "./catalog/providers/all-providers";
import type { ChatModel, SentParameters, StepRequest } from "./model-step";
import type { RefusableParameter } from "./parameter-refusals";
import { refusalsByClient } from "./refusals";
import { isStrictSchema } from "./strict-schema";

type EffortFacts = {
  /** Of its vendor. */
  efforts?: readonly Effort[] | undefined;
  /** Undefined before its first call. */
  client: LanguageModelV4 | undefined;
};

/** @returns the efforts that a model has, by its vendor or by what its server has refused; undefined if that is not known. */
export const findEfforts = ({ client, efforts }: EffortFacts): readonly Effort[] | undefined => {
  const refused = client && refusalsByClient.get(client);
  if (refused?.parameters.has("reasoning")) return [];
  return refused?.efforts ?? efforts;
};

/**
 * Finds what a call is sent: what the request sets, else what the settings of the model set, as far as the model takes it. An
 * effort that it does not have becomes the nearest one, and a limit that is too high its highest.
 */
export const toSentParameters = (model: ChatModel, request: StepRequest): SentParameters => {
  const maxOutputTokens = findOutputLimit(model, request);
  const temperature = request.temperature ?? model.defaults?.temperature;
  const takesTemperature = temperature !== undefined && !isRefused(model, "temperature");
  return {
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(takesTemperature && { temperature }),
    ...toThinking(model, request, maxOutputTokens),
    ...toResponseFormat(model, request),
  };
};

const isRefused = ({ client }: ChatModel, name: RefusableParameter): boolean =>
  refusalsByClient.get(client)?.parameters.has(name) === true;

const toThinking = (
  model: ChatModel,
  { reasoningEffort, prompt }: StepRequest,
  maxOutputTokens = 0,
): SentParameters => {
  const effort = findEffort(model, reasoningEffort ?? model.defaults?.reasoningEffort);
  if (!effort) return {};
  const call = { model: model.model, effort, maxOutputTokens, prompt };
  const isShown = !isRefused(model, "summary");
  return ALL_PROVIDERS[model.provider].toThinking?.({ ...call, isShown }) ?? { reasoning: effort };
};

const toResponseFormat = (
  model: ChatModel,
  { responseFormat, tools }: StepRequest,
): SentParameters => {
  if (!responseFormat || isRefused(model, "format")) return {};
  const { name, schema } = responseFormat;
  const call = { model: model.model, hasTools: tools.length > 0 };
  const canEnforce = ALL_PROVIDERS[model.provider].canEnforceFormat?.(call) === true;
  return canEnforce && isStrictSchema(schema)
    ? { responseFormat: { type: "json", name, schema } }
    : {};
};

const findEffort = (model: ChatModel, wanted: Effort | undefined): Effort | undefined => {
  if (wanted === undefined) return undefined;
  const efforts = findEfforts(model);
  return efforts ? findNearestEffort(wanted, efforts) : wanted;
};

/** @returns the tokens that an answer may have, with those that it thinks; undefined where the provider's own limit counts. */
export const findOutputLimit = (model: ChatModel, request: StepRequest): number | undefined => {
  const { defaults, outputLimit, provider } = model;
  const needed = ALL_PROVIDERS[provider].needOutputLimit?.(model);
  const learned = refusalsByClient.get(model.client)?.maxOutputTokens;
  const set = defaults?.maxOutputTokens;
  const limit = set ?? outputLimit ?? needed;
  const wanted = request.maxOutputTokens ?? set ?? (needed && limit);
  return wanted && Math.min(wanted, limit ?? wanted, learned ?? wanted);
};
