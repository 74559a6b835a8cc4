import type { ErrorCode, FieldError } from "./problem";

type DomainErrorOptions = ErrorOptions & {
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

  constructor(
    readonly code: ErrorCode,
    message: string,
    { errors = [], shouldRetry = true, retryAfterSeconds, ...options }: DomainErrorOptions = {},
  ) {
    super(message, options);
    this.errors = errors;
    this.shouldRetry = shouldRetry;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Whether the cause is temporary and is logged where it occurs, so that its consequences need not be. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof DomainError && error.code === "unavailable";
