// Starts the process of the embedded database in PARLEY_DATA_DIR, and prints the keys of its settings, with numbers.
import { appDatabase } from "@/server/db/connection/app-database";
import { startProcess } from "@/server/app/start-process";

await startProcess();
const db = appDatabase();
for (const { key, value } of await db.prisma.setting.findMany()) {
  process.stdout.write(`key ${key}${typeof value === "number" ? ` ${value}` : ""}\n`);
}
await db.close();
process.exit(0);
