// Holds the embedded database of the directory in its first argument, writes without a pause, and
// prints the number of each row when it is committed. A second argument makes the keys those of one of several rounds.
import { openDatabase } from "@/server/db/connection/open-database";

const INSERT = {
  name: "test-insert-number",
  text: "INSERT INTO setting (key, value) VALUES ($1, $2::jsonb)",
};

const round = process.argv[3] === undefined ? "" : `${process.argv[3]}-`;
const db = openDatabase({ databaseUrl: null, dataDir: process.argv[2] ?? "", poolSize: 1 });
for (let number = 0; ; number++) {
  // One number in two rows, so that half a transaction would show.
  await db.transaction(async (tx) => {
    await tx.query(INSERT, [`first-${round}${number}`, String(number)]);
    await tx.query(INSERT, [`second-${round}${number}`, String(number)]);
  });
  process.stdout.write(`${number}\n`);
}
