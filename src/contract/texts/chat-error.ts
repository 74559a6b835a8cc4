import type { ChatError, ChatRetry } from "@/contract/chat-error";
import type { FieldTexts, SchemaTexts } from "./schema-texts";

export const CHAT_ERROR_TEXTS = {
  ChatRetry: {
    attempt: ["The number of the next try.", 1],
    delay_ms: ["The delay before the next try, in milliseconds.", 2_000],
    retrying_at: ["When the next try begins."],
    kind: ["Why the model call failed."],
    message: ["One sentence for people.", "OpenAI is overloaded right now."],
  } satisfies FieldTexts<ChatRetry>,
  ChatError: {
    kind: ["Why the model call failed."],
    message: ["One sentence for people.", "OpenAI is overloaded right now."],
    detail: ["What the provider said, without secrets.", "invalid x-api-key"],
    provider: ["The provider of the model.", "openai"],
    retryable: ["True if trying again can help."],
    status_code: ["The HTTP status of the provider.", 529],
  } satisfies FieldTexts<ChatError>,
} satisfies SchemaTexts;
