import { expect, it } from "vitest";
import { openEmbeddedDatabase, openMigrated } from "@/test/database";
import type { Transaction } from "./database";

it("undoes a transaction that waits for something else than the database, and goes on", async () => {
  const db = await openEmbeddedDatabase(await openMigrated(), { idleInTransactionMs: 300 });
  const count = () => db.prisma.setting.count();
  const write = async (tx: Transaction) => {
    await tx.prisma.setting.create({ data: { key: "waits", value: 1 } });
    return tx.prisma.setting.count();
  };
  const waiting = db.transaction(async (tx) => {
    expect(await write(tx)).toBe(1);
    await new Promise(() => undefined);
  });
  const behind = count();
  await expect(waiting).rejects.toThrow("sent no statement for 0.3 s");
  expect(await behind).toBe(0);
  expect(await db.transaction(write)).toBe(1);
  await db.close();
});
