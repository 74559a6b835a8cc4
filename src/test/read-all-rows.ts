import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { readRows } from "@/server/db/backup/read-rows";
import { openSnapshot } from "@/server/db/backup/snapshot";
import { listTables } from "@/server/db/backup/tables";
import type { DatabaseSettings } from "@/server/db/connection/open-database";

/** Reads the rows of all tables that a backup has, in an order of their own. */
export const readAllRows = async (
  settings: DatabaseSettings,
): Promise<Record<string, string[]>> => {
  const scratch = mkdtempSync(path.join(os.tmpdir(), "parley-rows-"));
  const { session, close } = await openSnapshot(settings, scratch);
  try {
    const found: Record<string, string[]> = {};
    for (const table of await listTables(session)) {
      const texts: string[] = [];
      for await (const rows of readRows(session, table))
        texts.push(...rows.map((row) => JSON.stringify(row)));
      found[table.name] = texts.sort();
    }
    return found;
  } finally {
    await close();
    rmSync(scratch, { recursive: true });
  }
};
