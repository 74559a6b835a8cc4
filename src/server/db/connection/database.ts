import type { Prisma, PrismaClient } from "@/server/db/generated/client";
import type { ChangeBus } from "./change-bus";
import type { JsonObject, JsonValue } from "@/contract/json";
import type { ToolKind } from "@/contract/part";
import type { DatabaseStatus } from "./outages";

/**
 * One SQL statement with its text fixed at compile time, so that the server may
 * prepare it once; `name` is unique in the program, at most 63 bytes.
 */
export type Statement = {
  name: string;
  text: string;
  /** Rows as arrays in the order of the columns: cheaper where there are thousands. */
  rowMode?: "array";
  /** Changes a chat, so that it has to be in the transaction of a request with an idempotency key. */
  changesChat?: true;
  /** Each of its rows has a `notice` for the bus, or null, which is published when the change is committed. */
  announces?: true;
  /** Runs on a connection of the pool, as statements on the shared one would wait behind a long one. */
  usePool?: true;
  /** Changes nothing when it has been carried out before, so it is repeated when its connection was lost. */
  isFenced?: boolean;
};

/**
 * Prisma Client's models; raw statements and transactions have one function each, see below. JSON that a
 * model, a tool or a client wrote is given to them by `toJsonInput`.
 */
export type PrismaModels = Pick<PrismaClient, Uncapitalize<Prisma.ModelName>>;

/**
 * Runs statements; values are bound as `$1`, `$2`, ….
 *
 * A value is text, a number, a boolean, null, a Date, a Buffer, or an array of these for a SQL
 * array. JSON is bound as text, with the cast in the statement: `toJsonText(value)` for `$1::jsonb`
 * when a model or a tool wrote it. Text may have any characters, NUL too (see nul.ts). Results
 * are decoded: text as it was written, JSON parsed, bigint as number, timestamptz as Date.
 */
export type Queryable = {
  readonly prisma: PrismaModels;
  /**
   * Reads and fenced statements are tried once more when their connection was lost.
   *
   * @throws {DatabaseFailure} when the database is away; whether a write was carried out is unknown then.
   * @throws {Error} when the database refuses: nothing was written.
   */
  query: <Row>(statement: Statement, values: unknown[]) => Promise<Row[]>;
  /** Reports calls to this process when their ends are committed: outside of a transaction, they are. */
  reportEnded: (ended: EndedCalls) => void;
};

/** Calls of a chat that have an outcome now. */
export type EndedCalls = {
  chatId: string;
  calls: readonly {
    toolCallId: string;
    toolName: string;
    kind: ToolKind;
    args: JsonValue;
    approvedArgs: JsonObject | null;
  }[];
};

/** Statements and Prisma on the one connection of a transaction, until it ends. */
export type Transaction = Queryable;

/** The database, PostgreSQL or embedded; code outside this room does not depend on which. */
export type Database = Queryable & {
  /**
   * Commits when the body resolves, rolls back when it rejects. Never await anything but `tx` inside:
   * the database itself throws there, as the embedded one would wait for itself.
   */
  transaction: <Result>(body: (tx: Transaction) => Promise<Result>) => Promise<Result>;
  /** Runs a body in which this database throws while the transaction is open that the body belongs to. */
  guardTransaction: <Result>(
    transaction: { isOpen: () => boolean },
    body: () => Promise<Result>,
  ) => Promise<Result>;
  /** What has been committed of chats, by this process and others. */
  changes: Pick<ChangeBus, "subscribe">;
  /**
   * Calls the listener with each payload of the channel that is committed from now on, and with
   * "" after a gap (a lost connection): something may have changed then. The listener must not throw.
   *
   * @returns a function that unsubscribes.
   */
  listen: (channel: string, listener: (payload: string) => void) => Promise<() => Promise<void>>;
  /**
   * Calls the listener with the calls whose ends this process has committed. The listener must not throw.
   *
   * @returns a function that unsubscribes.
   */
  onCallsEnded: (listener: (ended: EndedCalls) => void) => () => void;
  status: () => DatabaseStatus;
  /** True for a handle of one request whose writes are committed later, together with others: no other request may use it. */
  commitsLater?: true;
  /** Aborted when the database of this process has failed for good; the reason is an error. */
  failure: AbortSignal;
  close: () => Promise<void>;
};
