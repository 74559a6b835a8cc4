// Holds the embedded database of the directory in its first argument, writes without a pause, and
// prints the number of each row when it is committed.
import { openDatabase } from "@/server/db/connection/open-database";

const INSERT = {
  name: "test-insert-number",
  text: "INSERT INTO setting (key, value) VALUES ($1, $2::jsonb)",
};

const db = openDatabase({ databaseUrl: null, dataDir: process.argv[2] ?? "", poolSize: 1 });
for (let number = 0; ; number++) {
  // One number in two rows, so that half a transaction would show.
  await db.transaction(async (tx) => {
    await tx.query(INSERT, [`first-${number}`, String(number)]);
    await tx.query(INSERT, [`second-${number}`, String(number)]);
  });
  process.stdout.write(`${number}\n`);
}
