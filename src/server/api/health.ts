import type { Database, Statement } from "@/server/db/database";
import { shutdown } from "@/server/stream/shutdown";

/** A load balancer asks every few seconds and gives up sooner than a query may take. */
const DATABASE_TIMEOUT_MS = 3_000;

const ANSWER: Statement = { name: "readiness", text: "SELECT 1 AS one" };

/** The process runs. */
export const handleHealthz = (): Response => answer(200, { status: "ok" });

/**
 * The process takes work: the database answers, and the process is not stopping. While it stops it
 * still answers, so that a load balancer can turn away from it in time.
 *
 * @param stopping aborted when the process is told to stop.
 */
export const handleReadyz = async (
  db: Database,
  stopping: AbortSignal = shutdown.signal,
): Promise<Response> => {
  const checks = { database: await databaseAnswers(db), running: !stopping.aborted };
  const isReady = Object.values(checks).every(Boolean);
  return answer(isReady ? 200 : 503, { status: isReady ? "ok" : "unavailable", checks });
};

const databaseAnswers = async (db: Database): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      resolve(false);
    }, DATABASE_TIMEOUT_MS);
  });
  const answered = db.query(ANSWER, []).then(
    () => true,
    () => false,
  );
  const answers = await Promise.race([answered, late]);
  clearTimeout(timer);
  return answers;
};

const answer = (status: number, body: object): Response =>
  Response.json(body, { status, headers: { "cache-control": "no-store" } });
