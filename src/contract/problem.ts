import * as z from "zod";
import { ToolCallState } from "./part";

export const ErrorCode = z.enum([
  "invalid",
  "unauthorized",
  "forbidden",
  "not_found",
  "conflict",
  "unprocessable",
  "limit_exceeded",
  "payload_too_large",
  "unavailable",
  "internal",
]);
export type ErrorCode = z.infer<typeof ErrorCode>;

/** One invalid field of a request. */
export const FieldError = z
  .object({
    /** JSON pointer into the request body, or the name of a query parameter as a pointer. */
    pointer: z.string(),
    message: z.string(),
  })
  .meta({ id: "FieldError" });
export type FieldError = z.infer<typeof FieldError>;

/** How the call that a request answers stands. */
export const ProblemCall = z
  .object({
    state: ToolCallState,
    /** A user's id, `api_key:<id>`, or `worker`; null for an open call. */
    resolved_by: z.string().nullable(),
    resolved_at: z.iso.datetime().nullable(),
    /** The program that works on the call. */
    claim: z.object({ holder: z.string(), expires_at: z.iso.datetime() }).nullable(),
  })
  .meta({ id: "ProblemCall" });
export type ProblemCall = z.infer<typeof ProblemCall>;

/** RFC 9457 `application/problem+json`. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: ErrorCode,
    /** Why, more exactly than `code`; more reasons may come. */
    reason: z.string().optional(),
    call: ProblemCall.optional(),
    /** The chat that has the `external_id` already. */
    chat_id: z.uuid().optional(),
    request_id: z.string(),
    errors: z.array(FieldError).optional(),
  })
  .meta({ id: "Problem" });
export type Problem = z.infer<typeof Problem>;
