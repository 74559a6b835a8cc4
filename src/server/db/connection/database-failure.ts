import { DomainError } from "@/contract/domain-error";
import { getErrorMessage } from "@/lib/error-message";

/**
 * Why a call to the database failed: it is `unreachable`; it is `unwritable`, so that only reads work; it is
 * `damaged`, and what the call needs cannot be read; it is `busy`, and one statement took too long; or it is
 * `conflicting`, and was undone as another one was in its way.
 */
export type FailureKind = "unreachable" | "unwritable" | "damaged" | "busy" | "conflicting";

/** A failover or a restart takes some seconds. */
const RETRY_AFTER_SECONDS = 5;

const MESSAGES: Record<FailureKind, string> = {
  unreachable: "The connection to the database is lost. Try again in a moment.",
  unwritable: "The database accepts no changes now: it is read-only, or its disk is full.",
  damaged: "The database cannot read a part of its data. Its operator has to repair it.",
  busy: "The database took too long to answer. Try again in a moment.",
  conflicting: "Another change was in the way of this one, which changed nothing. Try again.",
};

const LOST_SESSION_CODES = ["26000", "42P05"];

/** Codes of PostgreSQL, and of the system for a socket. */
const KIND_BY_CODE = new Map<string, FailureKind>([
  // Connection exceptions.
  ...["08000", "08001", "08003", "08004", "08006"].map((code) => [code, "unreachable"] as const),
  // The server shuts down, has crashed, or starts.
  ...["57P01", "57P02", "57P03", "57P05", "25P03"].map((code) => [code, "unreachable"] as const),
  // Too many connections.
  ["53300", "unreachable"],
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT"].map(
    (code) => [code, "unreachable"] as const,
  ),
  ...["ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ENETDOWN"].map(
    (code) => [code, "unreachable"] as const,
  ),
  // A prepared statement is missing, or there already: a pooler has given the connection another session.
  ...LOST_SESSION_CODES.map((code) => [code, "unreachable"] as const),
  // A table, a type or a function is missing, which was there at the start: the database is another one, or is being restored.
  ...["42P01", "42704", "42883"].map((code) => [code, "unreachable"] as const),
  // A read-only transaction, a full disk.
  ["25006", "unwritable"],
  ["53100", "unwritable"],
  // Damaged data, a damaged index, a file that is missing, and one that the disk cannot read.
  ...["XX001", "XX002", "58P01", "58030"].map((code) => [code, "damaged"] as const),
  // A statement took longer than its limit: a second one would take as long.
  ["57014", "busy"],
  // A lock that was held for too long, a deadlock, and a transaction that could not be brought into an order with others.
  ["55P03", "conflicting"],
  ["40P01", "conflicting"],
  ["40001", "conflicting"],
]);

/** Errors of the driver have no code. */
const CONNECTION_MESSAGE =
  /^(Connection terminated|timeout (exceeded when trying to connect|expired)|Query read timeout|Client (was closed|has encountered a connection error))/;

/** @returns undefined for an error that says something about the statement, not about the database. */
export const classifyFailure = (error: unknown): FailureKind | undefined => {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof DatabaseFailure) return error.kind;
  const { severity, code } = error as { severity?: unknown; code?: unknown };
  // Such an error ends the session, whatever its code says.
  if (severity === "FATAL" || severity === "PANIC") return "unreachable";
  return (
    (typeof code === "string" ? KIND_BY_CODE.get(code) : undefined) ??
    (CONNECTION_MESSAGE.test(error.message) ? "unreachable" : undefined)
  );
};

/** Says something about one call: the next one on the same connection may succeed. */
export const isOfCall = ({ kind }: DatabaseFailure): boolean =>
  kind === "damaged" || kind === "busy" || kind === "conflicting";

const MARK = Symbol.for("parley.database-failure");

/** A failure of the database. Its message is for clients, its cause for the log. */
export class DatabaseFailure extends DomainError {
  /** Recognizes failures across bundles, as `DomainError` does. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && MARK in value;
  }

  readonly [MARK] = true;

  constructor(
    readonly kind: FailureKind,
    cause: unknown,
  ) {
    const retryAfterSeconds = kind === "conflicting" ? 1 : RETRY_AFTER_SECONDS;
    super("unavailable", MESSAGES[kind], { retryAfterSeconds, cause });
  }

  /** For the operator: what the database or the system said. */
  get causeMessage(): string {
    return getErrorMessage(this.cause);
  }
}

/** Whether a connection has lost what its session knew, though it is open. */
export const hasLostSession = ({ cause }: DatabaseFailure): boolean =>
  LOST_SESSION_CODES.includes((cause as { code?: string }).code ?? "");

/** Carries a failure through Prisma, which replaces errors that have a code. */
class FailureCarrier extends Error {
  constructor(readonly failure: DatabaseFailure) {
    super(failure.message);
  }
}

/** Rejects a call by Prisma so that `unwrapFailure` finds the failure again. */
export const wrapFailure = (error: unknown): never => {
  throw error instanceof DatabaseFailure ? new FailureCarrier(error) : error;
};

/** Rejects a call to Prisma with the failure that it was rejected for. */
export const unwrapFailure = (error: unknown): never => {
  throw error instanceof FailureCarrier ? error.failure : error;
};
