import { expect, it } from "vitest";
import { testDatabase } from "@/test/database";
import { recordPlan } from "@/test/record-plan";
import { listAbandonedQuestions } from "./abandoned-questions";

it("reads parked chats by the index of their deadlines", async () => {
  const plan = await recordPlan(await testDatabase(), (db) =>
    listAbandonedQuestions(db, { owner: "worker", limit: 10 }),
  );
  expect(plan).toContain("Index Scan using chat_action_deadline_idx");
  expect(plan).not.toContain("Seq Scan on chat");
});
