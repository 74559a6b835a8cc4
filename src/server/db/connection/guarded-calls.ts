import type pg from "pg";
import { getErrorMessage } from "@/lib/error-message";
import { classifyFailure, DatabaseFailure } from "./database-failure";
import { createOutages } from "./outages";

export type CallTraits = {
  /** False if a repetition after an unknown outcome could change something twice. */
  isRepeatable: boolean;
  isWrite: boolean;
};

/** Nothing has happened yet when a transaction cannot begin. */
const BEGIN: CallTraits = { isRepeatable: true, isWrite: false };
export const IN_TRANSACTION: CallTraits = { isRepeatable: false, isWrite: true };

/** Called for each failure, with the time by `performance.now()` at which the failed call began. */
export type FailureHandler = (failure: DatabaseFailure, startedAt: number) => void;

export type GuardedCalls = ReturnType<typeof createGuardedCalls>;

const REPAIR =
  "Repair its server, or restore a backup into a new database, then start Parley again.";

/**
 * Runs calls to the database. Converts failures of the database, repeats a call whose connection was
 * lost if that is safe, and logs outages.
 *
 * @param database its name for the log, and what the operator does when its data is damaged.
 */
export const createGuardedCalls = (
  { name, repair = REPAIR }: { name: string; repair?: string },
  onFailure: FailureHandler,
) => {
  const outages = createOutages(name);

  /** @throws {DatabaseFailure} instead of what the driver throws when the database is away. */
  const run = async <Result>(
    traits: CallTraits,
    call: (isRepetition: boolean) => Promise<Result>,
  ): Promise<Result> => {
    for (let isRepetition = false; ; isRepetition = true) {
      const startedAt = performance.now();
      try {
        const result = await call(isRepetition);
        outages.recordSuccess(traits.isWrite);
        return result;
      } catch (error) {
        const failure = toFailure(error, repair);
        if (!failure) throw error;
        // A call inside of this one has reported its failure itself.
        if (failure !== error) onFailure(failure, startedAt);
        if (!isRepetition && mayRepeat(traits, failure)) continue;
        outages.recordFailure(failure);
        throw failure;
      }
    }
  };

  return {
    run,
    /** Begins a transaction on a connection of the pool, which the caller releases. */
    begin: (openPool: () => Promise<pg.Pool>): Promise<pg.PoolClient> =>
      run(BEGIN, async () => {
        const connection = await (await openPool()).connect();
        try {
          await connection.query("BEGIN");
          return connection;
        } catch (error) {
          connection.release(true);
          throw error;
        }
      }),
    status: outages.status,
  };
};

/** A statement that was undone changes nothing the second time either, unless it is part of a transaction, which is over then. */
const mayRepeat = (traits: CallTraits, { kind }: DatabaseFailure): boolean =>
  (traits.isRepeatable && kind === "unreachable") ||
  (traits !== IN_TRANSACTION && kind === "conflicting");

/** @returns undefined for an error of the call itself. */
const toFailure = (error: unknown, repair: string): DatabaseFailure | undefined => {
  if (error instanceof DatabaseFailure) return error;
  const kind = classifyFailure(error);
  if (kind === undefined) return undefined;
  if (kind !== "damaged") return new DatabaseFailure(kind, error);
  const reason = `Data of the database is damaged: ${getErrorMessage(error)}. ${repair}`;
  return new DatabaseFailure(kind, new Error(reason, { cause: error }));
};

/** @param isFenced the statement changes nothing when it has been carried out before. */
export const toTraits = (text: string, isFenced = false): CallTraits => {
  // Functions that it calls may notify, which is a hint and may come twice.
  const isRead = /^\s*SELECT\b/i.test(text);
  return { isRepeatable: isFenced || isRead, isWrite: !isRead };
};
