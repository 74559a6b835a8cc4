import * as z from "zod";

/** Why a model call failed. Each kind has its own remedy. */
export const ErrorKind = z.enum([
  "overloaded",
  "rate_limit",
  "timeout",
  "stalled",
  "auth",
  "quota",
  "config",
  "missing_key",
  "content_filter",
  "context_overflow",
  "generic",
]);
export type ErrorKind = z.infer<typeof ErrorKind>;

/** Why the last turn ended in `error`. */
export const ChatError = z
  .object({
    kind: ErrorKind,
    /** One sentence to show to users. */
    message: z.string(),
    /** The provider's message, at most 500 code points, secrets removed. */
    detail: z.string().optional(),
    provider: z.string().optional(),
    retryable: z.boolean(),
    status_code: z.int().optional(),
  })
  .meta({ id: "ChatError" });
export type ChatError = z.infer<typeof ChatError>;

/** The next try of a model call that failed, and the delay before it. */
export const ChatRetry = z
  .object({
    attempt: z.int(),
    delay_ms: z.int(),
    retrying_at: z.iso.datetime(),
    kind: ErrorKind,
    message: z.string(),
  })
  .meta({ id: "ChatRetry" });
export type ChatRetry = z.infer<typeof ChatRetry>;
