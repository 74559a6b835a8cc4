import type { ErrorCode, FieldError } from "./problem";

type DomainErrorOptions = ErrorOptions & {
  /** What is wrong with the request, and where. */
  errors?: FieldError[];
  /** False tells clients that the same request can never succeed. */
  shouldRetry?: boolean;
  /** Seconds to wait, for `limit_exceeded` and `unavailable`. */
  retryAfterSeconds?: number;
};

const MARK = Symbol.for("parley.domain-error");

/** A failure whose message may be shown to people. Anything else thrown is a bug. */
export class DomainError extends Error {
  /** Pages and routes are bundled apart, each with this class of its own, and share what throws it. */
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
