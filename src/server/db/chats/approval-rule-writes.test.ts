import { v7 as newId } from "uuid";
import { expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { writeChat } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { insertApprovalRules } from "./approval-rule-writes";

/** JSON that a tool may write: Prisma drops some of these keys from an object, and others look like its own. */
const HOSTILE = JSON.parse(
  String.raw`{"z\u0000":[null,1.5,"a\u0000b"],"a":{"__proto__":{"$type":"DateTime","value":"x"}},
    "v":{"__prismaRawParameters__":true,"values":"[]"},"toJSON":"\ufdd0","__proto__":1}`,
) as JsonValue;

it("a rule has the scope as its tool wrote it", async () => {
  const db = await testDatabase();
  const chatId = await writeChat(db, await createUser(db));
  const rules = [HOSTILE, null].map((scope) => ({
    id: newId(),
    toolName: "exec",
    place: { chatId },
    scope,
    pattern: null,
  }));
  await db.transaction((tx) => insertApprovalRules(tx, { createdBy: "a user", rules }));
  const stored = await db.prisma.approvalRule.findMany({
    where: { chatId },
    orderBy: { id: "asc" },
  });
  expect(stored.map(({ scope }) => scope)).toEqual([HOSTILE, null]);
});
