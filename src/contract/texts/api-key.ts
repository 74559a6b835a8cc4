import type * as z from "zod";
import type { ApiKey, ApiKeyList, CreateApiKeyInput, NewApiKey } from "@/contract/api-key";
import type { FieldText, FieldTexts, SchemaTexts } from "./schema-texts";

const API_KEY = {
  id: ["The id of the key."],
  name: ["The program that uses the key.", "Nightly report"],
  prefix: ["The first characters of the key.", "parley_q7Tz0"],
  scope: ["What the key may do; each scope includes those before it."],
  expires_at: ["When the key ends; null for never."],
  from_environment: ["True for the key of PARLEY_API_KEY, which is changed on the server only."],
  last_used_at: ["When it was last used; null for never."],
  created_at: ["When the key was made."],
} as const satisfies Record<string, FieldText>;

export const API_KEY_TEXTS = {
  NewApiKey: {
    ...API_KEY,
    key: ["The text of the key, which no other answer has.", "parley_q7Tz0…"],
  } satisfies FieldTexts<NewApiKey>,
  ApiKeyList: {
    data: ["The keys."],
  } satisfies FieldTexts<z.infer<typeof ApiKeyList>>,
  ApiKey: API_KEY satisfies FieldTexts<ApiKey>,
  "apiKeys.create": {
    name: ["The program that will use the key.", "Nightly report"],
    scope: ["What the key may do; each scope includes those before it."],
    expires_in_days: ["Days until the key ends; without it, never.", 90],
  } satisfies FieldTexts<CreateApiKeyInput>,
  "apiKeys.revoke": {
    key_id: ["The id of the key.", "0198c0de-0000-7000-8000-000000000006"],
  },
} satisfies SchemaTexts;
