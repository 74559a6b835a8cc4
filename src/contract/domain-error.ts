import type { ErrorCode, FieldError } from "./problem";

type DomainErrorOptions = ErrorOptions & {
  /** What is wrong with the request, and where. */
  errors?: FieldError[];
  /** False tells clients that the same request can never succeed. */
  shouldRetry?: boolean;
  /** Seconds to wait, for `limit_exceeded` and `unavailable`. */
  retryAfterSeconds?: number;
};

/** A failure whose message may be shown to people. Anything else thrown is a bug. */
export class DomainError extends Error {
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
