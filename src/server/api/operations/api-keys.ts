import * as z from "zod";
import {
  type ApiKey,
  ApiKeyList,
  type ApiKeyScope,
  ApiKeyScopeSet,
  CreateApiKeyInput,
  NewApiKey,
  SCOPES_OF_SET,
} from "@/contract/api-key";
import { DomainError } from "@/contract/domain-error";
import { type ApiKeyRow, createApiKey, listApiKeys, revokeApiKey } from "@/server/auth/api-keys";
import { readClock } from "@/server/db/sql/machine/clock-reads";
import { defineOperation } from "@/server/api/operation";
import type { OperationContext } from "@/server/api/operation-context";

export const createApiKeyOperation = defineOperation({
  name: "apiKeys.create",
  method: "POST",
  path: "/api-keys",
  summary: "Make an API key; its text is in this answer only",
  scope: "admin",
  input: CreateApiKeyInput,
  output: NewApiKey,
  status: 201,
  ignoresIdempotencyKey: true,
  run: async (ctx, { name, scope = "chat", scopes = SCOPES_OF_SET[scope], only, ...expiry }) => {
    const created = await createApiKey(ctx.db, {
      id: ctx.newId(),
      userId: ctx.actor.userId,
      name,
      scopes,
      only: only ?? null,
      expiresAt: await calculateExpiry(ctx, expiry),
    });
    if (!created) throw new Error("a new random key exists already");
    return { ...toWireApiKey(created), key: created.key };
  },
});

export const listApiKeysOperation = defineOperation({
  name: "apiKeys.list",
  method: "GET",
  path: "/api-keys",
  summary: "List the caller's API keys",
  scope: "admin",
  input: z.strictObject({}),
  output: ApiKeyList,
  status: 200,
  run: async (ctx) => ({
    data: (await listApiKeys(ctx.db, ctx.actor.userId)).map(toWireApiKey),
  }),
});

export const revokeApiKeyOperation = defineOperation({
  name: "apiKeys.revoke",
  method: "DELETE",
  path: "/api-keys/{key_id}",
  summary: "Revoke an API key",
  scope: "admin",
  input: z.strictObject({ key_id: z.string() }),
  output: z.void(),
  status: 204,
  run: async (ctx, { key_id }) => {
    const revoked = await revokeApiKey(
      { db: ctx.db, caches: ctx.auth.caches },
      { id: key_id, userId: ctx.actor.userId },
    );
    if (!revoked) throw new DomainError("not_found", `There is no API key "${key_id}".`);
  },
});

type Expiry = Pick<CreateApiKeyInput, "expires_in_days" | "expires_in_seconds">;

const DAY_SECONDS = 24 * 60 * 60;

/** @throws {DomainError} `forbidden` when the new key would live longer than the caller's. */
const calculateExpiry = async (
  { db, actor: { credential } }: OperationContext,
  { expires_in_days: days, expires_in_seconds: seconds = days && days * DAY_SECONDS }: Expiry,
): Promise<Date | null> => {
  const expiresAt =
    seconds === undefined ? null : new Date((await readClock(db)).getTime() + seconds * 1_000);
  const limit = credential.type === "api_key" ? credential.expiresAt : null;
  if (limit === null || (expiresAt !== null && expiresAt <= limit)) return expiresAt;
  throw new DomainError(
    "forbidden",
    `This key expires at ${limit.toISOString()} and cannot make one that lives longer: ` +
      "set expires_in_seconds or expires_in_days to less, or sign in.",
    { shouldRetry: false },
  );
};

/** The name of a set of scopes that says all that a key has. */
const findSet = (scopes: readonly ApiKeyScope[]): ApiKeyScopeSet | null => {
  if (scopes.includes("admin")) return "admin";
  const isSame = (set: ApiKeyScopeSet): boolean =>
    SCOPES_OF_SET[set].length === scopes.length &&
    SCOPES_OF_SET[set].every((scope) => scopes.includes(scope));
  return ApiKeyScopeSet.options.find(isSame) ?? null;
};

const toWireApiKey = (row: ApiKeyRow): ApiKey => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  scopes: row.scopes.slice(),
  scope: findSet(row.scopes),
  only: row.only,
  expires_at: row.expiresAt?.toISOString() ?? null,
  from_environment: row.fromEnvironment,
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
});
