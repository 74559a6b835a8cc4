// Starts the process of an embedded database in PARLEY_DATA_DIR and fills its disk: first with rows, then with the
// log alone. Prints "row <number>" for each row that was committed, "failed <reason>" for the first that was not, and
// "healthz <status>" whenever the probe's answer changes.
import { randomBytes } from "node:crypto";
import { handleHealthz } from "@/server/api/health";
import { appDatabase } from "@/server/db/connection/app-database";
import { startProcess } from "@/server/app/start-process";

/** The rows leave room on their pages, so that an update needs no new page, but only log. */
const LEAVE_ROOM = {
  name: "test-leave-room",
  text: "ALTER TABLE setting SET (fillfactor = 50)",
};
const INSERT = {
  name: "test-insert-number",
  text: "INSERT INTO setting (key, value) VALUES ($1, $2::jsonb)",
};
const UPDATE = {
  name: "test-update-number",
  text: "UPDATE setting SET value = $1::jsonb WHERE key = 'row-0'",
};
const WRITE_LOG = {
  name: "test-write-log",
  text: "SELECT pg_logical_emit_message(true, 'test', $1)::text",
};
/** Random text cannot be compressed. */
const createText = (bytes: number): string => randomBytes(bytes).toString("base64");
const ROW_BYTES = 100_000;
const LOG_BYTES = 500_000;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

await startProcess();
const db = appDatabase();
let health = 0;
setInterval(() => {
  const { status } = handleHealthz(db);
  if (status !== health) print(`healthz ${status}`);
  health = status;
}, 10);
await db.query(LEAVE_ROOM, []);
let isFull = false;
for (let number = 0; !isFull; number++) {
  try {
    await db.query(INSERT, [`row-${number}`, JSON.stringify(createText(ROW_BYTES))]);
    print(`row ${number}`);
  } catch (error) {
    print(`failed ${String(error)}`);
    isFull = true;
  }
}
for (let number = 0; !db.failure.aborted; number++) {
  await db.query(WRITE_LOG, [createText(LOG_BYTES)]).catch(() => undefined);
  const isStored = await db.query(UPDATE, [String(number)]).then(
    () => true,
    () => false,
  );
  if (isStored) print(`update ${number}`);
}
