import { DomainError } from "@/contract/domain-error";
import type { DiscoveredModels, ModelTestResult } from "@/contract/model";
import type {
  CreateModelInput,
  DiscoverModelsInput,
  ModelRef,
  UpdateModelInput,
} from "@/contract/model-inputs";
import { listProviderTools, PROVIDERS } from "@/contract/providers";
import type { ServerContext } from "@/server/context";
import type { Transaction } from "@/server/db/connection/database";
import { changeDeclared } from "@/server/db/settings/change-declared";
import { findModel } from "@/server/db/settings/model-reads";
import {
  deleteModelRow,
  insertModel,
  setDefaultModel,
  updateModelFields,
} from "@/server/db/settings/model-writes";
import type { ModelRow } from "@/server/db/chats/rows";
import { lookUpModel } from "@/server/model/catalog/model-catalog";
import { listServerModels } from "@/server/model/catalog/list-server-models";
import { probeModel } from "@/server/model/catalog/probe-model";
import { changeAccess, createAccess, invalidField, replace } from "./model-access";
import { requireOwner } from "./require-owner";

/**
 * Adds a model.
 *
 * @throws {DomainError} `forbidden`; `invalid`; `conflict` for a model that exists.
 */
export const createModel = async (
  { db, actor, models, newId }: ServerContext,
  { is_default, api_key, base_url, ...input }: CreateModelInput,
): Promise<ModelRow> => {
  requireOwner(actor);
  const { provider, model, enabled } = input;
  const id = newId();
  const access = createAccess(models, { id, provider }, { api_key, base_url });
  checkDefault({ enabled, isDefault: is_default });
  const tools = replaceTools(NO_TOOLS, input);
  const known = lookUpModel(provider, model);
  return changeDeclared(db, "models", async (tx) => {
    await requireNewName(tx, { provider, model, baseUrl: access.baseUrl });
    await insertModel(tx, {
      id,
      provider,
      model,
      enabled,
      ...access,
      name: input.name ?? known.name,
      contextLimit: replace(known.contextLimit, input.context_limit),
      prices: replace(known.prices, input.prices),
      toolProtocol: replace(known.toolProtocol, input.tool_protocol),
      reads: input.reads ?? null,
      waitMinutes: input.wait_minutes ?? null,
      ...replaceDefaults(NO_DEFAULTS, input),
      compactAt: input.compact_at ?? null,
      ...tools,
    });
    if (is_default) await setDefaultModel(tx, id);
    return readModel(tx, id);
  });
};

/**
 * Changes a model, for the next calls of all chats.
 *
 * @throws {DomainError} `forbidden`; `not_found`; `invalid`; `conflict` for what the environment decides.
 */
export const updateModel = async (
  { db, actor, models }: ServerContext,
  input: UpdateModelInput,
): Promise<ModelRow> => {
  requireOwner(actor);
  return changeDeclared(db, "models", async (tx) => {
    const row = await readModel(tx, input.model_id);
    const { id, provider } = row;
    const { model = row.model, name = row.name, enabled = row.enabled, is_default } = input;
    if (model !== row.model) {
      if (row.fromEnvironment) throw namedByEnvironment();
      await requireNewName(tx, { provider, model, baseUrl: replace(row.baseUrl, input.base_url) });
    }
    const access = changeAccess(models, row, input);
    checkDefaultChange(row, { enabled, is_default });
    await updateModelFields(tx, {
      id,
      provider,
      model,
      name,
      enabled,
      baseUrl: access.baseUrl,
      encryptedKey: access.encryptedKey,
      contextLimit: replace(row.contextLimit, input.context_limit),
      prices: replace(row.prices, input.prices),
      toolProtocol: replace(row.toolProtocol, input.tool_protocol),
      reads: replace(row.reads, input.reads),
      waitMinutes: replace(row.waitMinutes, input.wait_minutes),
      ...replaceDefaults(row, input),
      compactAt: replace(row.compactAt, input.compact_at),
      ...replaceTools(row, { ...input, provider }),
    });
    if (is_default && !row.isDefault) await setDefaultModel(tx, id);
    return readModel(tx, id);
  });
};

type Defaults = Pick<ModelRow, "maxOutputTokens" | "reasoningEffort" | "temperature">;

const NO_DEFAULTS: Defaults = { maxOutputTokens: null, reasoningEffort: null, temperature: null };

const replaceDefaults = (
  before: Defaults,
  input: Pick<UpdateModelInput, "max_output_tokens" | "reasoning_effort" | "temperature">,
): Defaults => ({
  maxOutputTokens: replace(before.maxOutputTokens, input.max_output_tokens),
  reasoningEffort: replace(before.reasoningEffort, input.reasoning_effort),
  temperature: replace(before.temperature, input.temperature),
});

type Tools = Pick<ModelRow, "providerTools" | "fileStores">;

const NO_TOOLS: Tools = { providerTools: [], fileStores: [] };

/** @throws {DomainError} `invalid` for a tool that the provider does not run, or a search of files without a store. */
const replaceTools = (
  before: Tools,
  input: Pick<UpdateModelInput, "provider_tools" | "file_stores"> & Pick<ModelRow, "provider">,
): Tools => {
  const {
    provider,
    provider_tools = before.providerTools,
    file_stores = before.fileStores,
  } = input;
  const offered = listProviderTools(provider);
  const place = provider_tools.findIndex((name) => !offered.includes(name));
  const { title } = PROVIDERS[provider];
  if (place !== -1) {
    throw invalidField(
      `provider_tools/${place}`,
      `${title} does not run ${provider_tools[place]}.`,
    );
  }
  if (provider_tools.includes("file_search") && file_stores.length === 0) {
    throw invalidField("file_stores", `Name a store of ${title} that is searched.`);
  }
  return { providerTools: provider_tools, fileStores: file_stores };
};

/**
 * Deletes a model. Its chats go on with the default one.
 *
 * @throws {DomainError} `forbidden`; `not_found`; `conflict` for the default model, or one of the environment.
 */
export const deleteModel = async (
  { db, actor }: ServerContext,
  { model_id }: ModelRef,
): Promise<void> => {
  requireOwner(actor);
  await changeDeclared(db, "models", async (tx) => {
    const row = await readModel(tx, model_id);
    if (row.fromEnvironment) throw namedByEnvironment();
    if (row.isDefault) throw anotherDefaultNeeded();
    await deleteModelRow(tx, row.id);
  });
};

/**
 * Calls a model once, as it is set up. Its cost is in no chat's usage.
 *
 * @throws {DomainError} `forbidden`, `not_found`.
 */
export const testModel = async (
  { db, actor, models }: ServerContext,
  { model_id }: ModelRef,
): Promise<ModelTestResult> => {
  requireOwner(actor);
  const row = await readModel(db, model_id);
  return probeModel(models.toChatModel(row), row.name);
};

/**
 * Asks a provider's server for its models: with what is entered for a new model, or with the access of a stored one and
 * what is changed of it.
 *
 * @throws {DomainError} `forbidden`, `not_found`, `invalid`; `conflict` for what the environment decides.
 */
export const discoverModels = async (
  { db, actor, models, newId }: ServerContext,
  { provider, model_id, ...entered }: DiscoverModelsInput,
): Promise<DiscoveredModels> => {
  requireOwner(actor);
  const row = model_id === undefined ? undefined : await readModel(db, model_id);
  if (row && row.provider !== provider) {
    throw invalidField("provider", `The stored model is of another provider, ${row.provider}.`);
  }
  const place = row ?? { id: newId(), provider };
  const access = row ? changeAccess(models, row, entered) : createAccess(models, place, entered);
  return listServerModels(provider, models.findAccess({ ...UNSET, ...place, ...access }));
};

/** What an access does not depend on. */
const UNSET = { model: "", contextLimit: null, prices: null };

/** @throws {DomainError} `not_found`. */
const readModel = async (tx: Transaction, id: string) => {
  const row = await findModel(tx, id);
  if (!row) throw new DomainError("not_found", `There is no model "${id}".`);
  return row;
};

const requireNewName = async (
  { prisma }: Transaction,
  { provider, model, baseUrl }: Pick<ModelRow, "provider" | "model" | "baseUrl">,
): Promise<void> => {
  const known = await prisma.model.findUnique({ where: { provider_model: { provider, model } } });
  if (!known) return;
  const isOtherServer = PROVIDERS[provider].needs === "address" && known.baseUrl !== baseUrl;
  const message = isOtherServer ? OTHER_NAME_NEEDED : "Change the model that is in the list.";
  throw new DomainError("conflict", `The model "${provider}/${model}" is there already.`, {
    shouldRetry: false,
    errors: [{ pointer: "/model", message }],
  });
};

/**
 * A model is known by its provider and its id there, in `PARLEY_MODELS`, messages, usage and logs too. The address is no
 * part of the name, so two compatible servers cannot have the same model under one id.
 */
const OTHER_NAME_NEEDED =
  "Another server has a model with this id. Give it a second name on its server, and enter that one: ollama cp (Ollama), --alias (llama.cpp), --served-model-name (vLLM).";

const checkDefault = (next: { enabled: boolean; isDefault: boolean }): void => {
  if (next.isDefault && !next.enabled) {
    throw invalidField("is_default", "A disabled model cannot be the default one.");
  }
};

/** There is always a default model, so that one is replaced, and never only removed. */
const checkDefaultChange = (
  { isDefault }: Pick<ModelRow, "isDefault">,
  { enabled, is_default = isDefault }: { enabled: boolean; is_default: boolean | undefined },
): void => {
  if (isDefault && !(enabled && is_default)) throw anotherDefaultNeeded();
  checkDefault({ enabled, isDefault: is_default });
};

const anotherDefaultNeeded = (): DomainError =>
  new DomainError("conflict", "This is the default model: make another one the default first.", {
    shouldRetry: false,
  });

const namedByEnvironment = (): DomainError =>
  new DomainError(
    "conflict",
    "PARLEY_MODELS names this model: change it there and restart, or disable the model here.",
    { shouldRetry: false },
  );
