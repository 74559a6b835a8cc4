import { APICallError } from "@ai-sdk/provider";
import type { DiscoveredModel, DiscoveredModels, ProviderName } from "@/contract/model";
import { MAX_CONTEXT_TOKENS, MAX_NAME_LENGTH } from "@/contract/model-inputs";
import { PROVIDERS } from "@/contract/providers";
import { getErrorMessage } from "@/lib/error-message";
import { tryParseJson } from "@/lib/exact-json";
import { isRecord } from "@/lib/is-record";
import { classifyFailure, MODELS_PAGE, ModelCallError } from "@/server/model/classify-failure";
import { findPageTitle } from "@/server/model/server-text";
import { createJsonFetch } from "@/server/model/stream/json-fetch";
import { KNOWN_MODELS, type KnownModel } from "./known-models";
import { lookUpModel } from "./model-catalog";
import type { ModelListing, ProviderAccess } from "./provider";
import { findProviderProblem } from "./provider-access";
import { ALL_PROVIDERS } from "./providers/all-providers";

/** People wait for it, at a button. */
const TIMEOUT_MS = 10_000;
/** Of the answer; gateways with hundreds of models send about one. */
const MAX_MEGABYTES = 4;
const MEGABYTE = 1024 * 1024;
/** More than any server has; people search in them. */
const MAX_MODELS = 2_000;

const CHECK_ADDRESS = "Check the address: does it lack /v1?";
const NO_LIST = "This server has no list of models: type the name.";

/**
 * Asks a server for the list of its models, as its models would be called: with the same key, by the same way.
 *
 * @returns a failure of the request as a result.
 */
export const listServerModels = async (
  provider: ProviderName,
  access: ProviderAccess | ModelCallError,
  timeoutMs = TIMEOUT_MS,
): Promise<DiscoveredModels> => {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    if (access instanceof ModelCallError) throw access;
    const problem = findProviderProblem({ [provider]: access }, provider);
    if (problem) throw problem;
    const { listing } = ALL_PROVIDERS[provider];
    if (!listing) throw new ModelCallError("config", NO_LIST);
    const models = readModels(provider, await fetchList(provider, { listing, access, signal }));
    return { ok: true, message: countModels(provider, models.length), data: models };
  } catch (error) {
    return {
      ok: false,
      ...describeFailure(provider, signal.aborted ? undefined : error),
      data: [],
    };
  }
};

const countModels = (provider: ProviderName, count: number): string => {
  const { title } = PROVIDERS[provider];
  if (count === 0) return `${title} has no models yet.`;
  return `${title} has ${count === 1 ? "1 model" : `${count} models`}.`;
};

/** @param error undefined when the time was over. */
const describeFailure = (
  provider: ProviderName,
  error: unknown,
): Pick<DiscoveredModels, "message" | "detail"> => {
  if (error === undefined) {
    return { message: `${PROVIDERS[provider].title} has not sent its list in time.` };
  }
  const { message, detail } = classifyFailure(error, provider, new Date());
  // Models are listed on that page.
  return { message: message.replaceAll(MODELS_PAGE, "here"), ...(detail && { detail }) };
};

const fetchList = async (
  provider: ProviderName,
  {
    listing,
    access,
    signal,
  }: { listing: ModelListing; access: ProviderAccess; signal: AbortSignal },
): Promise<readonly unknown[]> => {
  const { address = "", path, toHeaders } = listing;
  const { baseUrl = address, apiKey } = access;
  const url = `${baseUrl.replace(/(?<!\/)\/+$/, "")}${path}`;
  const headers = { accept: "application/json", ...(apiKey && toHeaders(apiKey)) };
  // A redirect could take the key to another server.
  const response = await createJsonFetch()(url, { headers, redirect: "manual", signal }).catch(
    (error: unknown) => {
      // What fetch says by itself does not say why.
      const cause = error instanceof TypeError ? error.cause : undefined;
      if (cause === undefined) throw error;
      throw new Error(`cannot connect: ${getErrorMessage(cause)}`, { cause });
    },
  );
  const { status } = response;
  const text = await readBody(response, provider);
  if (status >= 300 && status < 400) throw createAnswerError(provider, "a redirect");
  if (status === 404 || status === 405)
    throw new ModelCallError("config", `${NO_LIST} ${CHECK_ADDRESS}`);
  if (status !== 200) {
    throw new APICallError({
      message: response.statusText,
      url: "",
      requestBodyValues: {},
      statusCode: status,
      responseBody: text,
    });
  }
  const list = findList(tryParseJson(text));
  if (!list) throw createAnswerError(provider, describeAnswer(text));
  return list;
};

const readBody = async ({ body }: Response, provider: ProviderName): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_MEGABYTES * MEGABYTE) {
      throw createAnswerError(provider, `more than ${MAX_MEGABYTES} MB`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/** OpenAI, Anthropic and most others have it in `data`, Google in `models`, and some servers send nothing else. */
const findList = (body: unknown): readonly unknown[] | undefined => {
  const { data, models } = isRecord(body) ? body : {};
  return [body, data, models].find((value) => Array.isArray(value));
};

const describeAnswer = (text: string): string => {
  const title = findPageTitle(text);
  if (title !== undefined) return `a web page (${title}) instead of a list of models`;
  return `${tryParseJson(text) === undefined ? "text" : "other JSON"} instead of a list of models`;
};

const createAnswerError = (provider: ProviderName, what: string): ModelCallError =>
  new ModelCallError(
    "config",
    `${PROVIDERS[provider].title} answered with ${what}. ${CHECK_ADDRESS}`,
  );

const readModels = (provider: ProviderName, rows: readonly unknown[]): DiscoveredModel[] => {
  const models = new Map<string, DiscoveredModel>();
  for (const row of rows.slice(0, MAX_MODELS)) {
    const model = isRecord(row) ? readModel(provider, row) : undefined;
    if (model) models.set(model.model, model);
  }
  return [...models.values()].toSorted(
    (one, other) =>
      findPlace(provider, one) - findPlace(provider, other) || one.model.localeCompare(other.model),
  );
};

/** Those of the table come first, in its order. */
const findPlace = (provider: ProviderName, { model }: DiscoveredModel): number => {
  const { known } = lookUpModel(provider, model);
  const rows = KNOWN_MODELS[provider] ?? [];
  return known ? rows.indexOf(known) : rows.length;
};

/** @returns undefined for what is no model that answers in a chat. */
const readModel = (
  provider: ProviderName,
  row: Record<string, unknown>,
): DiscoveredModel | undefined => {
  const id = readId(row);
  if (id === undefined) return undefined;
  const { name, contextLimit, prices, toolProtocol, known } = lookUpModel(provider, id);
  const output = known?.output ?? readCount(row.outputTokenLimit);
  return {
    model: id,
    name: known ? name : (readText(row.display_name) ?? readText(row.displayName) ?? id),
    // The server may run a model with less than it could read.
    context_limit: readContext(row) ?? contextLimit,
    tool_protocol: toolProtocol,
    ...(output !== undefined && { max_output_tokens: output }),
    ...(prices && { prices }),
    ...toSource(known),
  };
};

const toSource = (known: KnownModel | undefined): Pick<DiscoveredModel, "abilities" | "source"> =>
  known
    ? {
        ...(known.abilities && { abilities: [...known.abilities] }),
        source: { url: known.source, date: known.date },
      }
    : {};

/** Google's names begin with the name of the collection, and it has models that do not answer. */
const readId = ({ id, name, supportedGenerationMethods: methods }: Record<string, unknown>) => {
  if (Array.isArray(methods) && !methods.includes("generateContent")) return undefined;
  return readText(id) ?? readText(name)?.replace(/^models\//, "");
};

/** vLLM, gateways such as OpenRouter, and Google say how much a model reads. */
const readContext = (row: Record<string, unknown>): number | undefined =>
  readCount(row.max_model_len) ?? readCount(row.context_length) ?? readCount(row.inputTokenLimit);

const readCount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value > 0 && value <= MAX_CONTEXT_TOKENS
    ? value
    : undefined;

const readText = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" && value.length <= MAX_NAME_LENGTH
    ? value.trim()
    : undefined;
