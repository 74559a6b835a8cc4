import { DomainError } from "@/contract/domain-error";
import type { ProviderName } from "@/contract/model";
import { findNeededVariable, PROVIDERS } from "@/contract/providers";
import type { ModelRow } from "@/server/db/chats/rows";
import type { ModelRegistry } from "@/server/model/catalog/model-registry";

type StoredAccess = Pick<ModelRow, "baseUrl" | "encryptedKey">;
/** What is entered of an access; undefined leaves it as it is. */
type EnteredAccess = { api_key?: string | null | undefined; base_url?: string | null | undefined };

/** Returns the access of a new model. @throws {DomainError} `invalid`. */
export const createAccess = (
  models: ModelRegistry,
  { id, provider }: Pick<ModelRow, "id" | "provider">,
  { api_key, base_url }: EnteredAccess,
): StoredAccess => {
  const access = {
    baseUrl: base_url ?? null,
    encryptedKey: api_key ? models.encryptKey(api_key, id) : null,
  };
  checkAccess(provider, access, models.hasEnvironmentAccess(provider));
  return access;
};

/** Returns the changed access of a model. @throws {DomainError} `invalid`; `conflict` when the environment decides. */
export const changeAccess = (
  models: ModelRegistry,
  row: ModelRow,
  { api_key, base_url }: EnteredAccess,
): StoredAccess => {
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

export const replace = <Value>(old: Value, next: Value | undefined): Value =>
  next === undefined ? old : next;

const checkAccess = (
  provider: ProviderName,
  { baseUrl, encryptedKey }: StoredAccess,
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

export const invalidField = (field: string, message: string): DomainError =>
  new DomainError("invalid", message, { errors: [{ pointer: `/${field}`, message }] });

const keyNeededAgain = (): DomainError =>
  invalidField(
    "api_key",
    "Enter the key again: the stored one was for the other address, and is not sent to a new one.",
  );

const setByEnvironment = (provider: ProviderName): DomainError =>
  new DomainError(
    "conflict",
    `This model has its key and its address from the environment (${
      findNeededVariable(provider) ?? "PARLEY_MODELS"
    }): change them there, and restart.`,
    { shouldRetry: false },
  );
