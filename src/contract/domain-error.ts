import type { ErrorCode, FieldError, ProblemCall } from "./problem";

/** Why a request conflicts with what is there. */
export type ConflictReason =
  | "call_answered"
  | "call_claimed"
  | "call_closed"
  | "call_not_awaited"
  | "chat_archived"
  | "chat_busy"
  | "external_id_taken"
  | "lease_lost"
  | "older_version"
  | "version_mismatch";

type DomainErrorOptions = ErrorOptions & {
  reason?: ConflictReason;
  /** The call that the request would have answered. */
  call?: ProblemCall;
  /** The chat that is in the way. */
  chatId?: string;
  /** Invalid fields of the request. */
  errors?: FieldError[];
  /** False if the same request can never succeed. */
  shouldRetry?: boolean;
  /** Seconds to wait, for `limit_exceeded` and `unavailable`. */
  retryAfterSeconds?: number;
};

const MARK = Symbol.for("parley.domain-error");

/** An error whose message may be shown to users. Every other thrown error is a bug. */
export class DomainError extends Error {
  /** Recognizes domain errors across bundles: pages and routes each have their own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && MARK in value;
  }

  readonly [MARK] = true;
  override readonly name = "DomainError";
  readonly errors: FieldError[];
  readonly shouldRetry: boolean;
  readonly retryAfterSeconds: number | undefined;
  readonly reason: ConflictReason | undefined;
  readonly call: ProblemCall | undefined;
  readonly chatId: string | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: DomainErrorOptions = {},
  ) {
    const { errors = [], shouldRetry = true, retryAfterSeconds, ...about } = options;
    const { reason, call, chatId, ...rest } = about;
    super(message, rest);
    this.errors = errors;
    this.shouldRetry = shouldRetry;
    this.retryAfterSeconds = retryAfterSeconds;
    this.reason = reason;
    this.call = call;
    this.chatId = chatId;
  }
}

/** Whether the cause is temporary and is logged where it occurs, so that its consequences need not be. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof DomainError && error.code === "unavailable";
