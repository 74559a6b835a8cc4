import { pino } from "pino";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { DomainError } from "@/contract/domain-error";
import type { Database } from "@/server/db/connection/database";
import { type DueWork, NOTHING } from "@/server/db/sql/machine/due-work";
import { emptyTables, testDatabase } from "@/test/database";
import { createBareChat } from "@/test/chat-editor";
import { createUser } from "@/test/factories";
import { createDuePoller } from "./due-poller";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(() => emptyTables(db, "chat"));

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const watch = (on: Database, readTime?: () => number) => {
  const found: (DueWork | undefined)[] = [];
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const poller = createDuePoller({ db: on, log, pollMs: 10, ...(readTime && { readTime }) });
  poller.subscribe((due) => void found.push(due));
  stops.push(poller.stop);
  return { found, lines };
};

it("says of each kind whether there is any", async () => {
  const { found } = watch(db);
  await expect.poll(() => found.at(-1)).toEqual(NOTHING);
  const { id } = await createBareChat(db, await createUser(db));
  await expect.poll(() => found.at(-1)).toEqual({ ...NOTHING, turns: true });
  const change = (data: object) => db.prisma.chat.update({ where: { id }, data });
  await change({ notBefore: new Date(Date.now() + 60_000) });
  await expect.poll(() => found.at(-1)).toEqual(NOTHING);
  await change({
    status: "requires_action",
    notBefore: null,
    actionDeadlineAt: new Date(Date.now() - 1_000),
  });
  await expect.poll(() => found.at(-1)).toEqual({ ...NOTHING, deadlines: true });
});

it("says when the database could not be asked, and logs what is no outage", async () => {
  const failures = [new DomainError("unavailable", "away"), new Error("odd")];
  const failing: Database = {
    ...db,
    query: (statement, values) => {
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : db.query(statement, values);
    },
  };
  const { found, lines } = watch(failing);
  await expect.poll(() => found.length).toBeGreaterThan(2);
  expect(found.slice(0, 3)).toEqual([undefined, undefined, NOTHING]);
  expect(lines).toHaveLength(1);
});

it("says when the process was stopped for a while", async () => {
  let now = 0;
  const { found } = watch(db, () => now);
  await expect.poll(() => found.length).toBeGreaterThan(2);
  expect(found).not.toContain(undefined);
  now = 20_000;
  await expect.poll(() => found).toContain(undefined);
});
