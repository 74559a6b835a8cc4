import type { Database } from "@/server/db/database";
import { readClock } from "@/server/db/sql/clock-reads";
import { shutdown } from "@/server/stream/shutdown";

/** Load balancers probe every few seconds with a timeout shorter than that of a query. */
const DATABASE_TIMEOUT_MS = 3_000;

/** Handles the liveness probe. */
export const handleHealthz = (): Response => createResponse(200, { status: "ok" });

/**
 * Handles the readiness probe: the database answers and the process is not shutting down. The
 * probe is served during shutdown too, so that a load balancer stops sending requests in time.
 *
 * @param stopSignal aborted when the process shuts down.
 */
export const handleReadyz = async (
  db: Database,
  stopSignal: AbortSignal = shutdown.signal,
): Promise<Response> => {
  const checks = { database: await isDatabaseReachable(db), running: !stopSignal.aborted };
  const isReady = Object.values(checks).every(Boolean);
  return createResponse(isReady ? 200 : 503, { status: isReady ? "ok" : "unavailable", checks });
};

const isDatabaseReachable = async (db: Database): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      resolve(false);
    }, DATABASE_TIMEOUT_MS);
  });
  const probe = readClock(db).then(
    () => true,
    () => false,
  );
  const isReachable = await Promise.race([probe, timeout]);
  clearTimeout(timer);
  return isReachable;
};

const createResponse = (status: number, body: object): Response =>
  Response.json(body, { status, headers: { "cache-control": "no-store" } });
