import { beforeAll, expect, it } from "vitest";
import { ChatStatus } from "@/contract/chat";
import type { Database } from "@/server/db/connection/database";
import { CHAT_STATES, classify, type StateFacts } from "@/server/machine/table/chat-state";
import { CHAT_EVENTS, nextOutcome } from "@/server/machine/table/transition-table";
import { testDatabase } from "@/test/database";
import { stateCondition } from "./transition-sql";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

/** All rows that the columns of the state allow, also those that no transition makes. */
const ROWS: readonly StateFacts[] = ChatStatus.options.flatMap((status) =>
  [null, new Date(0)].flatMap((archivedAt) =>
    [
      { queuedCount: 0, queuePaused: false },
      { queuedCount: 2, queuePaused: false },
      { queuedCount: 2, queuePaused: true },
    ].map((queue) => ({ status, archivedAt, ...queue })),
  ),
);

const toValues = ({ status, archivedAt, queuedCount, queuePaused }: StateFacts): string =>
  `('${status}'::chat_status, ${archivedAt ? "now()" : "NULL"}, ${queuedCount}, ${queuePaused})`;

it.each(CHAT_EVENTS)("rows are in the states that take %s as the table says", async (event) => {
  const states = CHAT_STATES.filter((state) => nextOutcome(state, event) !== undefined);
  const rows = await db.query<{ taken: boolean }>(
    {
      name: `test-states-of-${event}`,
      text: `SELECT ${stateCondition(states)} AS taken
        FROM (VALUES ${ROWS.map(toValues).join(", ")}) AS chat(status, archived_at, queued_count, queue_paused)`,
    },
    [],
  );
  const taken = ROWS.filter((_row, index) => rows[index]?.taken);
  expect(taken).toEqual(ROWS.filter((row) => states.includes(classify(row))));
});
