import * as z from "zod";
import { Labels } from "./labels";
import { Text } from "./content";
import { isUnique, ToolsetName } from "./declared-name";
import { MAX_API_KEY_DAYS, MAX_API_KEY_SECONDS } from "./limits";

/** What an API key may do. `chat` includes `read`, and `admin` all others. */
export const ApiKeyScope = z.enum([
  "read",
  "chat",
  "calls:answer",
  "approvals:decide",
  "toolsets:write",
  "admin",
]);
export type ApiKeyScope = z.infer<typeof ApiKeyScope>;

/** A name for a set of scopes. */
export const ApiKeyScopeSet = z.enum(["read", "chat", "admin"]);
export type ApiKeyScopeSet = z.infer<typeof ApiKeyScopeSet>;

/** What the names of sets stand for. */
export const SCOPES_OF_SET: Record<ApiKeyScopeSet, readonly ApiKeyScope[]> = {
  read: ["read"],
  chat: ["read", "chat", "calls:answer", "approvals:decide"],
  admin: ApiKeyScope.options,
};

const ApiKeyScopes = z
  .array(ApiKeyScope)
  .min(1)
  .refine(isUnique, "must not name a scope twice")
  .meta({ id: "ApiKeyScopes" });

const MAX_ONLY_NAMES = 100;

/** A name of tools in which `*` stands for any characters. */
const ToolPattern = z
  .string()
  .regex(/^[\w.*-]{1,128}$/, "must be 1 to 128 letters, digits, '_', '-', '.' or '*'");

/** Without a name that would be dropped, and the restriction with it. */
export const RestrictingLabels = z.preprocess(
  (value, context) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, "__proto__"))
      return value;
    context.addIssue({ code: "custom", message: 'must not have the name "__proto__"' });
    return z.NEVER;
  },
  Labels.refine((labels) => Object.keys(labels).length > 0, "must have a label, or be left out"),
);

/** To which tools and chats a key is restricted. With tools and toolsets, it is for those of either. */
export const KeyRestriction = z
  .strictObject({
    tools: z
      .array(ToolPattern)
      .max(MAX_ONLY_NAMES)
      .refine(isUnique, "must not name a tool twice")
      .optional(),
    toolsets: z
      .array(ToolsetName)
      .max(MAX_ONLY_NAMES)
      .refine(isUnique, "must not name a toolset twice")
      .optional(),
    /** It sees chats with all of these only, and its new chats have them. */
    labels: RestrictingLabels.optional(),
  })
  .refine((only) => Object.keys(only).length > 0, "must have tools, toolsets or labels")
  .meta({ id: "KeyRestriction" });
export type KeyRestriction = z.infer<typeof KeyRestriction>;

/** A key without its text. */
export const ApiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    /** The key's first characters, to distinguish keys. */
    prefix: z.string(),
    scopes: z.array(ApiKeyScope),
    /** The name of its set of scopes; null if that has none. */
    scope: ApiKeyScopeSet.nullable(),
    only: KeyRestriction.nullable(),
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

const CreateApiKeyFields = z.strictObject({
  name: Text.trim().min(1).max(MAX_NAME_LENGTH),
  scopes: ApiKeyScopes.optional(),
  /** In place of `scopes`; `chat` by default. */
  scope: ApiKeyScopeSet.optional(),
  only: KeyRestriction.optional(),
  expires_in_seconds: z.int().min(1).max(MAX_API_KEY_SECONDS).optional(),
  expires_in_days: z.int().min(1).max(MAX_API_KEY_DAYS).optional(),
});
export type CreateApiKeyInput = z.infer<typeof CreateApiKeyFields>;

/** A key that may do everything could make one without its own restriction. */
const checkKey: z.core.CheckFn<CreateApiKeyInput> = ({ value, issues }) => {
  const refuse = (path: string, message: string): void => {
    issues.push({ code: "custom", input: value, path: [path], message });
  };
  const { scope, scopes, only, expires_in_days: days, expires_in_seconds: seconds } = value;
  if (scope !== undefined && scopes !== undefined) {
    refuse("scope", "cannot be given with scopes: it is the name of a set of them");
  }
  if (days !== undefined && seconds !== undefined) {
    refuse("expires_in_days", "cannot be given with expires_in_seconds");
  }
  if (only !== undefined && (scope === "admin" || scopes?.includes("admin"))) {
    refuse("only", 'cannot be given with the scope "admin", which changes all settings');
  }
};

export const CreateApiKeyInput = CreateApiKeyFields.check(checkKey);
