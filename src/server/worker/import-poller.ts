import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { DomainError, isUnavailable } from "@/contract/domain-error";
import { createPoller } from "@/lib/poller";
import type { Database } from "@/server/db/connection/database";
import { findClaimed } from "@/server/db/imports/import-writes";
import {
  claimImport,
  deleteAbandonedUploads,
  endImport,
  hasWaitingImports,
  type ImportLease,
  releaseImport,
  renewImport,
} from "@/server/db/sql/writes/import-leases";
import { deleteUsedSlices } from "@/server/db/sql/writes/import-slices";
import type { DuePoller } from "./due-poller";
import { runImport } from "@/server/imports/run-import";
import { LostImportError } from "@/server/imports/store-conversations";

/** A third of the lease, so that two renewals may fail. */
const RENEW_MS = 10_000;
/** How often what imports have left is looked for. */
const SWEEP_MS = 60_000;
/** Imports of a process at a time, each of another person. They take turns, commit by commit. */
const MAX_RUNNING = 2;
/** How long an import rests after a commit, of the time that this took: requests of others get the embedded database. */
const REST_SHARE = 0.25;
/** How long an import goes on while others wait. */
const SLICE_MS = 20_000;

type PollerDeps = {
  db: Database;
  newId: () => string;
  log: Logger;
  /** Largest size of the documents of an archive, unpacked, in bytes. */
  maxUnpackedBytes: number;
  due: Pick<DuePoller, "when">;
  sliceMs?: number;
};

/** Imports what people have sent. An import goes on where it was when its process has died. */
export const createImportPoller = (deps: PollerDeps) => {
  const { db, newId, log } = deps;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const logFailure = (what: string) => (error: unknown) => {
    if (!isUnavailable(error)) log.warn({ err: error }, `${what} failed`);
  };
  const claim = async (): Promise<void> => {
    while (running.size < MAX_RUNNING && !stopping.signal.aborted) {
      const leaseToken = newId();
      const importId = await claimImport(db, leaseToken);
      if (importId === undefined) return;
      const run = serve(deps, { importId, leaseToken }, stopping.signal)
        .catch(logFailure("an import"))
        .finally(() => {
          running.delete(run);
          claims.trigger();
        });
      running.add(run);
    }
  };
  const claims = createPoller({
    run: claim,
    onError: logFailure("claiming imports"),
    isBackground: true,
  });
  const sweeps = createPoller({
    intervalMs: SWEEP_MS,
    run: async () => {
      await deleteAbandonedUploads(db);
      await deleteUsedSlices(db, () => stopping.signal.aborted);
    },
    onError: logFailure("removing uploads"),
    isBackground: true,
  });
  deps.due.when(({ imports }) => imports, claims.trigger);
  sweeps.trigger();
  return {
    /** Gives the imports back after their next commits. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await Promise.all([claims.stop(), sweeps.stop()]);
      await Promise.all(running);
    },
  };
};

const serve = async (
  deps: PollerDeps,
  lease: ImportLease,
  stopping: AbortSignal,
): Promise<void> => {
  const { db, log, sliceMs = SLICE_MS } = deps;
  const row = await findClaimed(db, lease.importId);
  if (!row) return;
  const startedAt = performance.now();
  let committedAt = startedAt;
  const renewals = createPoller({
    intervalMs: RENEW_MS,
    run: async () => void (await renewImport(db, lease)),
    onError: () => undefined,
    isBackground: true,
  });
  const canContinue = async (): Promise<boolean> => {
    if (stopping.aborted) return false;
    await delay((performance.now() - committedAt) * REST_SHARE);
    committedAt = performance.now();
    return performance.now() - startedAt < sliceMs || !(await hasWaitingImports(db));
  };
  try {
    const isDone = await runImport({ ...deps, lease, canContinue }, row);
    if (!isDone) return await releaseImport(db, lease);
    await endImport(db, lease, null);
  } catch (error) {
    if (error instanceof LostImportError || isUnavailable(error)) return;
    if (!(error instanceof DomainError)) log.warn({ err: error }, "an import failed");
    const reason = error instanceof DomainError ? error.message : "The server had an error.";
    await endImport(db, lease, reason);
  } finally {
    await renewals.stop();
  }
  await deleteUsedSlices(db, () => stopping.aborted);
};
