import { beforeAll, describe, expect, it } from "vitest";
import { v7 as newId } from "uuid";
import { DEFAULT_AGENT_LIMITS } from "@/contract/limits";
import { createArtifactDeps } from "@/server/chat/artifact-deps";
import { createChat } from "@/server/chat/create-chat";
import type { Database } from "@/server/db/database";
import { createLogger } from "@/server/log";
import { startTestAgent } from "@/test/agent-fixture";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { recordStatements } from "@/test/database-doubles";
import { commitAnswer } from "@/test/park-chat";
import { endAgent } from "./end-agent";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

const createRoot = async (): Promise<string> => {
  const { id } = await createChat(await createTestContext(db), { content: toTextContent("hello") });
  return id;
};

const answer = (agentId: string) =>
  commitAnswer(db, agentId, { parts: [{ type: "text", text: "Done." }], after: "finish" });

const end = (on: Database, rootChatId: string, agentId: string) => {
  const { saveArtifact } = createArtifactDeps({ db: on, newId });
  const deps = { db: on, newId, saveArtifact, agentLimits: DEFAULT_AGENT_LIMITS };
  return endAgent({ ...deps, log: createLogger("silent") }, { rootChatId, agentId });
};

describe("the statements", () => {
  it("that start an agent are three in one transaction", async () => {
    const chatId = await createRoot();
    const recorded = recordStatements(db);
    await startTestAgent(recorded.db, { chatId });
    // The fixture reads the chat first.
    const [, ...statements] = recorded.statements;
    expect(statements).toEqual(["lock-chat", "insert-agent", "locked-note_task"]);
  });

  it("that end an agent are one, and three in one transaction", async () => {
    const chatId = await createRoot();
    const agentId = await startTestAgent(db, { chatId });
    await answer(agentId);
    const recorded = recordStatements(db);
    await end(recorded.db, chatId, agentId);
    expect(recorded.statements).toEqual([
      ...["read-agent-end", "lock-chats", "end-agent-task", "locked-note_task"],
    ]);
    expect((await readChat(db, chatId)).reportCount).toBe(1);
  });

  it("that find that an agent works are one", async () => {
    const chatId = await createRoot();
    const agentId = await startTestAgent(db, { chatId });
    const recorded = recordStatements(db);
    await end(recorded.db, chatId, agentId);
    expect(recorded.statements).toEqual(["read-agent-end"]);
  });
});
