import type { CreateTokenInput, Token } from "@/contract/token";
import type { FieldTexts, SchemaTexts } from "./schema-texts";

export const TOKEN_TEXTS = {
  Token: {
    token: ["The text of the token, which is sent as an API key is.", "pt_eyJrIjoi…"],
    expires_at: ["When the token ends, if its key does not end before."],
  } satisfies FieldTexts<Token>,
  "tokens.create": {
    scopes: ["What the token may do, of what its key may.", ["read"]],
    chat_id: [
      "The only chat that it sees, with its agents.",
      "0198c0de-0000-7000-8000-000000000001",
    ],
    labels: [
      "It sees only chats that have all of these labels, besides those that its key is restricted to.",
      { customer: "42" },
    ],
    origin: ["The only origin whose pages may use it.", "https://app.example.com"],
    expires_in_seconds: ["Seconds until the token ends.", 900],
  } satisfies FieldTexts<CreateTokenInput>,
} satisfies SchemaTexts;
