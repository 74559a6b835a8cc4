import type { Database, Statement } from "@/server/db/database";

/** A load balancer asks every few seconds and gives up sooner than a query may take. */
const DATABASE_TIMEOUT_MS = 3_000;

const ANSWER: Statement = { name: "readiness", text: "SELECT 1 AS one" };

const KEY = Symbol.for("parley.readiness");
const registry = globalThis as { [KEY]?: Map<string, () => boolean> };

/** More that must hold for the process to take work, such as the worker's heartbeat. */
export const readinessChecks = (): Map<string, () => boolean> => (registry[KEY] ??= new Map());

/** The process runs. */
export const handleHealthz = (): Response => answer(200, { status: "ok" });

/** The process can do its work: the database answers, and all that has registered says yes. */
export const handleReadyz = async (db: Database): Promise<Response> => {
  const checks: Record<string, boolean> = { database: await databaseAnswers(db) };
  for (const [name, check] of readinessChecks()) checks[name] = check();
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
