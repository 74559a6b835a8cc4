// Starts the process of the PostgreSQL in DATABASE_URL, whose data is on a small disk, and fills that disk. Prints
// "row <number>" for each row that was committed and "failed <reason>" for each new reason, then frees space by removing
// the file of its argument, starts PostgreSQL again if it ended, and prints "key <name>" for each row that is there.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { globSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { appDatabase } from "@/server/db/connection/app-database";
import { startProcess } from "@/server/app/start-process";

const INSERT = {
  name: "test-insert-row",
  text: "INSERT INTO setting (key, value) VALUES ($1, $2::jsonb)",
};
const ROW_BYTES = 500_000;
/** For this time writes are tried on the full disk, so that the log of changes has no space either. */
const FULL_MS = 5_000;
const RETRY_MS = 100;
/** The test that waits for this program fails then, and nothing of it stays. */
const DEADLINE_MS = 90_000;

const [ballast = ""] = process.argv.slice(2);

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const isServerUp = async (): Promise<boolean> => {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
};

/** Starts PostgreSQL with the command line that it was started with, as an operator would. */
const restartServer = (): ChildProcess => {
  const [data = ""] = globSync(path.join(tmpdir(), "parley-postgres-*", "data"));
  // Only root runs it as another account; a namespace may lack the group of the folder.
  const owner = process.getuid?.() === 0 ? statSync(data) : {};
  const command = readFileSync(path.join(data, "postmaster.opts"), "utf8").trim();
  return spawn("/bin/sh", ["-c", `exec ${command}`], { ...owner, cwd: data, stdio: "ignore" });
};

const isInserted = async (number: number): Promise<boolean> => {
  try {
    const text = randomBytes(ROW_BYTES).toString("base64");
    await db.query(INSERT, [`row-${number}`, JSON.stringify(text)]);
    print(`row ${number}`);
    return true;
  } catch (error) {
    if (!reasons.has(String(error))) print(`failed ${String(error)}`);
    reasons.add(String(error));
    return false;
  }
};

setTimeout(() => process.exit(1), DEADLINE_MS).unref();
await startProcess();
const db = appDatabase();
const reasons = new Set<string>();
let number = 0;
while (await isInserted(number)) number++;
const fullUntil = Date.now() + FULL_MS;
while (Date.now() < fullUntil) await isInserted(++number);
rmSync(ballast);
print("freed");
const server = (await isServerUp()) ? undefined : restartServer();
print(server ? "restarted" : "still running");
while (!(await isInserted(++number))) await sleep(RETRY_MS);
const settings = await db.prisma.setting.findMany({ select: { key: true } });
for (const { key } of settings) print(`key ${key}`);
await db.close();
if (server) {
  server.kill("SIGINT");
  await once(server, "exit");
}
process.exit(0);
