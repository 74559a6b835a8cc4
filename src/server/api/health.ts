import type { DatabaseProbe } from "@/server/app/database-probe";
import type { Database } from "@/server/db/connection/database";
import { shutdown } from "@/server/stream/shutdown";
import { isWorkerAlive, type WorkerActivity } from "@/server/stream/worker-activity";

/** Handles the liveness probe: the process runs, and its embedded database has not failed. */
export const handleHealthz = ({ failure }: Pick<Database, "failure">): Response =>
  failure.aborted
    ? createResponse(503, { status: "failed" })
    : createResponse(200, { status: "ok" });

/**
 * Handles the readiness probe: the database can be claimed from and written, none of its data was found to be
 * damaged, the worker of this process claims, and the process is not shutting down. The probe is served during shutdown too, so that a load
 * balancer stops sending requests in time.
 *
 * @param stopSignal aborted when the process shuts down.
 */
export const handleReadyz = async (
  { probe, activity }: { probe: DatabaseProbe; activity: WorkerActivity },
  stopSignal: AbortSignal = shutdown.signal,
): Promise<Response> => {
  const checks = {
    database: await probe.isUsable(),
    data: probe.isIntact(),
    worker: isWorkerAlive(activity),
    running: !stopSignal.aborted,
  };
  const isReady = Object.values(checks).every(Boolean);
  return createResponse(isReady ? 200 : 503, { status: isReady ? "ok" : "unavailable", checks });
};

const createResponse = (status: number, body: object): Response =>
  Response.json(body, { status, headers: { "cache-control": "no-store" } });
