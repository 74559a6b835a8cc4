import { DomainError } from "@/contract/domain-error";
import type { ModelTestResult, ProviderName } from "@/contract/model";
import type { CreateModelInput, ModelRef, UpdateModelInput } from "@/contract/model-inputs";
import { findNeededVariable, PROVIDERS } from "@/contract/providers";
import type { ServerContext } from "@/server/context";
import type { Transaction } from "@/server/db/connection/database";
import { findModel } from "@/server/db/settings/model-reads";
import {
  changeModels,
  deleteModelRow,
  insertModel,
  setDefaultModel,
  updateModelFields,
} from "@/server/db/settings/model-writes";
import type { ModelRow } from "@/server/db/chats/rows";
import { lookUpModel } from "@/server/model/catalog/model-catalog";
import type { ModelRegistry } from "@/server/model/catalog/model-registry";
import { probeModel } from "@/server/model/catalog/probe-model";
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
  const access = {
    baseUrl: base_url ?? null,
    encryptedKey: api_key === undefined ? null : models.encryptKey(api_key, id),
  };
  checkAccess(provider, access, models.hasEnvironmentAccess(provider));
  checkDefault({ enabled, isDefault: is_default });
  const known = lookUpModel(provider, model);
  return changeModels(db, async (tx) => {
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
      waitMinutes: input.wait_minutes ?? null,
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
  return changeModels(db, async (tx) => {
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
      waitMinutes: replace(row.waitMinutes, input.wait_minutes),
    });
    if (is_default && !row.isDefault) await setDefaultModel(tx, id);
    return readModel(tx, id);
  });
};

const replace = <Value>(old: Value, next: Value | undefined): Value =>
  next === undefined ? old : next;

/** @throws {DomainError} `invalid`; `conflict` when the environment decides. */
const changeAccess = (
  models: ModelRegistry,
  row: ModelRow,
  { api_key, base_url }: Pick<UpdateModelInput, "api_key" | "base_url">,
): Pick<ModelRow, "baseUrl" | "encryptedKey"> => {
  const { id, provider, encryptedKey } = row;
  if (api_key === undefined && base_url === undefined) return row;
  const isInEnvironment = models.hasEnvironmentAccess(provider);
  if (row.fromEnvironment && isInEnvironment) throw setByEnvironment(provider);
  const baseUrl = replace(row.baseUrl, base_url);
  const hasNewAddress = baseUrl !== row.baseUrl;
  if (hasNewAddress && encryptedKey !== null && api_key === undefined) throw keyNeededAgain();
  const newKey = api_key ? models.encryptKey(api_key, id) : api_key;
  const access = { baseUrl, encryptedKey: replace(encryptedKey, newKey) };
  checkAccess(provider, access, isInEnvironment);
  return access;
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
  await changeModels(db, async (tx) => {
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

const checkAccess = (
  provider: ProviderName,
  { baseUrl, encryptedKey }: Pick<ModelRow, "baseUrl" | "encryptedKey">,
  isInEnvironment: boolean,
): void => {
  const hasKey = encryptedKey !== null;
  const { needs, title } = PROVIDERS[provider];
  if (needs === "nothing" && (baseUrl !== null || hasKey)) {
    throw invalidField(hasKey ? "api_key" : "base_url", `${title} has no key and no address.`);
  }
  // The environment's address belongs to the environment's key.
  const needsAddress = needs === "address" && (hasKey || !isInEnvironment);
  if (needsAddress && baseUrl === null) {
    throw invalidField(
      "base_url",
      "An OpenAI-compatible server needs an address, such as http://127.0.0.1:11434/v1.",
    );
  }
};

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

const invalidField = (field: string, message: string): DomainError =>
  new DomainError("invalid", message, { errors: [{ pointer: `/${field}`, message }] });

const keyNeededAgain = (): DomainError =>
  invalidField(
    "api_key",
    "Enter the key again: the stored one was for the other address, and is not sent to a new one.",
  );

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

const setByEnvironment = (provider: ProviderName): DomainError =>
  new DomainError(
    "conflict",
    `This model has its key and its address from the environment (${
      findNeededVariable(provider) ?? "PARLEY_MODELS"
    }): change them there, and restart.`,
    { shouldRetry: false },
  );
