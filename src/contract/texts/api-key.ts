import type * as z from "zod";
import type {
  ApiKey,
  ApiKeyList,
  CreateApiKeyInput,
  KeyRestriction,
  NewApiKey,
} from "@/contract/api-key";
import type { FieldText, FieldTexts, SchemaTexts } from "./schema-texts";

const SCOPES =
  "What the key may do. `read` sees chats; `chat` includes it and also writes; `calls:answer` answers tool calls, with files, and sees no history; `approvals:decide` decides on approvals; `toolsets:write` declares toolsets; `admin` does all of this and what the settings do.";

const API_KEY = {
  id: ["The id of the key."],
  name: ["The program that uses the key.", "Nightly report"],
  prefix: ["The first characters of the key.", "parley_q7Tz0"],
  scopes: [SCOPES],
  scope: ["The name of its set of scopes; null if that has no name."],
  only: ["What the key is restricted to; null for nothing."],
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
  KeyRestriction: {
    tools: [
      "Names of the tools whose calls the key may answer and decide on, and which it may name; `*` stands for any characters.",
      ["restart_*"],
    ],
    toolsets: ["Toolsets whose calls it may answer and which it may declare.", ["crm"]],
    labels: [
      "It sees and changes only chats that have all of these labels, and their agents. Chats that it makes have them.",
      { app: "slackbot" },
    ],
  } satisfies FieldTexts<KeyRestriction>,
  "apiKeys.create": {
    name: ["The program that will use the key.", "Nightly report"],
    scopes: [SCOPES, ["calls:answer"]],
    scope: [
      "A name in place of `scopes`: `read`, `chat` for `read`, `chat`, `calls:answer` and `approvals:decide`, or `admin` for all. Without either, `chat`.",
    ],
    only: ["What the key is restricted to. A key with the scope `admin` has no restriction."],
    expires_in_seconds: ["Seconds until the key ends; without it and days, never.", 3600],
    expires_in_days: ["Days until the key ends; without it and seconds, never.", 90],
  } satisfies FieldTexts<CreateApiKeyInput>,
  "apiKeys.revoke": {
    key_id: ["The id of the key.", "0198c0de-0000-7000-8000-000000000006"],
  },
} satisfies SchemaTexts;
