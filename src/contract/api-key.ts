import * as z from "zod";
import { Text } from "./content";
import { MAX_API_KEY_DAYS } from "./limits";

/** What an API key may do; each scope includes those before it. */
export const ApiKeyScope = z.enum(["read", "chat", "admin"]);
export type ApiKeyScope = z.infer<typeof ApiKeyScope>;

/** A key without its text. */
export const ApiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    /** The key's first characters, to distinguish keys. */
    prefix: z.string(),
    scope: ApiKeyScope,
    /** Null if it never expires. */
    expires_at: z.iso.datetime().nullable(),
    /** Set by the variable PARLEY_API_KEY of the server, and changed only there. */
    from_environment: z.boolean(),
    last_used_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof ApiKey>;

export const NewApiKey = ApiKey.extend({
  /** The key's text; only this response contains it. */
  key: z.string(),
}).meta({ id: "NewApiKey" });
export type NewApiKey = z.infer<typeof NewApiKey>;

export const ApiKeyList = z.object({ data: z.array(ApiKey) }).meta({ id: "ApiKeyList" });

const MAX_NAME_LENGTH = 100;

export const CreateApiKeyInput = z.strictObject({
  name: Text.trim().min(1).max(MAX_NAME_LENGTH),
  scope: ApiKeyScope.default("chat"),
  expires_in_days: z.int().min(1).max(MAX_API_KEY_DAYS).optional(),
});
export type CreateApiKeyInput = z.infer<typeof CreateApiKeyInput>;
