import { closeSync, openSync, writeSync } from "node:fs";
import { openEmbedded } from "./embedded-crash";

/** @returns the file of a table, below the directory of the embedded database. */
export const findTableFile = async (dataDir: string, table: string): Promise<string> => {
  const db = openEmbedded(dataDir);
  const text = "SELECT pg_relation_filepath($1::regclass) AS file";
  const [row] = await db.query<{ file: string }>({ name: "test-table-file", text }, [table]);
  await db.close();
  return row?.file ?? "";
};

/** Changes some bytes of the first page of a table, whose checksum is wrong then. */
export const damageFile = (file: string): void => {
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, "damaged", 8_000);
  closeSync(descriptor);
};
