import { z } from "zod";
import { Text } from "@/contract/content";
import { DomainError } from "@/contract/domain-error";
import { type ApiKeyRow, createApiKey, listApiKeys, revokeApiKey } from "@/server/auth/api-keys";
import { defineOperation } from "@/server/api/operation";

/** A key without its text. */
const ApiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    /** The key's first characters, to distinguish keys. */
    prefix: z.string(),
    last_used_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "ApiKey" });

const NewApiKey = ApiKey.extend({
  /** The key's text; only this response contains it. */
  key: z.string(),
}).meta({ id: "NewApiKey" });

const MAX_NAME_LENGTH = 100;

export const createApiKeyOperation = defineOperation({
  name: "apiKeys.create",
  method: "POST",
  path: "/api-keys",
  summary: "Make an API key; its text is in this answer only",
  input: z.strictObject({ name: Text.trim().min(1).max(MAX_NAME_LENGTH) }),
  output: NewApiKey,
  status: 201,
  hasSecret: true,
  run: async (ctx, { name }) => {
    const made = await createApiKey(ctx.db, { id: ctx.newId(), userId: ctx.actor.userId, name });
    if (!made) throw new Error("a new random key exists already");
    return { ...toWireApiKey(made), key: made.key };
  },
});

export const listApiKeysOperation = defineOperation({
  name: "apiKeys.list",
  method: "GET",
  path: "/api-keys",
  summary: "List the caller's API keys",
  input: z.strictObject({}),
  output: z.object({ data: z.array(ApiKey) }).meta({ id: "ApiKeyList" }),
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
  input: z.strictObject({ key_id: z.string() }),
  output: z.void(),
  status: 204,
  run: async (ctx, { key_id }) => {
    const revoked = await revokeApiKey(ctx.db, { id: key_id, userId: ctx.actor.userId });
    if (!revoked) throw new DomainError("not_found", `There is no API key "${key_id}".`);
  },
});

const toWireApiKey = ({ id, name, prefix, lastUsedAt, createdAt }: ApiKeyRow) => ({
  id,
  name,
  prefix,
  last_used_at: lastUsedAt?.toISOString() ?? null,
  created_at: createdAt.toISOString(),
});
