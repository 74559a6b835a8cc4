import { expect } from "vitest";
import { createDatabase } from "@/server/db/connection/create-database";
import type { Database } from "@/server/db/connection/database";
import { embeddedSource } from "@/server/db/connection/embedded";
import type { Program } from "./start-program";

const KEYS = { name: "test-keys", text: "SELECT key FROM setting" };

/** Opens an embedded database that no other process has. */
export const openEmbedded = (dataDir: string): Database =>
  createDatabase(embeddedSource(dataDir, 0));

/** Kills the program `embedded-writer`, and expects that all is there that it has committed. */
export const expectNothingLost = async (dataDir: string, writer: Program): Promise<void> => {
  await writer.kill();
  const db = openEmbedded(dataDir);
  const keys = new Set((await db.query<{ key: string }>(KEYS, [])).map(({ key }) => key));
  await db.close();
  const committed = writer.lines.length;
  expect(committed).toBeGreaterThanOrEqual(20);
  for (let number = 0; number < committed; number++) expect(keys).toContain(`first-${number}`);
  const count = (prefix: string) => [...keys].filter((key) => key.startsWith(prefix)).length;
  expect(count("first-")).toBe(count("second-"));
};
