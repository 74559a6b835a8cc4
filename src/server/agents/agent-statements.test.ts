import { beforeAll, describe, expect, it } from "vitest";
import { v7 as newId } from "uuid";
import { DEFAULT_AGENT_LIMITS } from "@/contract/limits";
import { createArtifactDeps } from "@/server/app/artifact-deps";
import { createChat } from "@/server/chat/create-chat";
import { listAgents } from "@/server/db/tasks/agent-reads";
import type { Database } from "@/server/db/connection/database";
import { noteAgentEnds } from "@/server/db/sql/machine/agent-task-writes";
import {
  claimChats,
  type ClaimedChat,
  claimNewChats,
  type ClaimRoom,
  type ClaimNew,
} from "@/server/db/sql/machine/claim";
import { readAgentUse } from "@/server/db/sql/reads/agent-use-reads";
import { takeReports } from "@/server/db/sql/machine/task-writes";
import { createLogger } from "@/server/log";
import { startTestAgent } from "@/test/agent-fixture";
import { getAgents, callNamed, calls, spawn } from "@/test/agent-turns";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { readChat, readWholeHistory } from "@/test/chat-probe";
import { emptyTables, testDatabase } from "@/test/database";
import { recordStatements } from "@/test/database-doubles";
import { commitAnswer } from "@/test/park-chat";
import { textStep } from "@/test/scripted-model";
import { recordPlan } from "@/test/record-plan";
import { createTurnFixture } from "@/test/turn-fixture";
import { endAgents } from "./end-agents";
import { createStartTogether } from "./start-together";
import { SHIPPED_AGENT_TYPES } from "@/test/tool-fixture";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

const createRoot = async (): Promise<string> => {
  const { id } = await createChat(await createTestContext(db), { content: toTextContent("hello") });
  return id;
};

const OWNER = "test";

/** A part of a plan that reads all rows of a table that grows. */
const READS_ALL = /Index.* on (chat|task)( .*)?\n(?!\s+Index Cond)/g;

/** Explains the statement of a run as it is planned while there are no chats. */
const explainForEmpty = async (run: (explained: Database) => Promise<unknown>): Promise<string> => {
  await emptyTables(db, "chat");
  await db.query({ name: "test-analyze-chat", text: "ANALYZE chat" }, []);
  return recordPlan(db, run);
};

/** Claims new chats like a worker with so much room; what it has claimed is added to the list. */
const claimInto =
  (claimed: ClaimedChat[], room: Partial<ClaimRoom> = {}): ClaimNew =>
  async (most, insert) => {
    claimed.push(...(await insert({ owner: OWNER, limit: most, full: [], ...room })));
  };

/** Starts agents with these titles by calls of one message of a running step. */
const startInStep = async (titles: readonly string[], claimNew: ClaimNew, on = db) => {
  const chatId = await createRoot();
  await claimChats(db, { owner: OWNER, limit: 10_000 });
  const { turnId } = await readChat(db, chatId);
  const start = createStartTogether({ db: on, newId, agentLimits: DEFAULT_AGENT_LIMITS });
  const call = { chatId, turnId, messageId: newId(), actor: "worker" };
  await Promise.all(
    titles.map((title) =>
      start({
        call: { ...call, toolCallId: title },
        input: { prompt: `Work on ${title}.`, title },
        types: SHIPPED_AGENT_TYPES.agent_types,
        claimNew,
      }),
    ),
  );
  return chatId;
};

/** Creates two chats, each with an agent that has answered. */
const createTwo = async () => {
  const chatIds = [await createRoot(), await createRoot()];
  const agentIds: string[] = [];
  for (const chatId of chatIds) {
    const agentId = await startTestAgent(db, { chatId });
    await answer(agentId);
    agentIds.push(agentId);
  }
  return { chatIds, agentIds };
};

const answer = (agentId: string) =>
  commitAnswer(db, agentId, { parts: [{ type: "text", text: "Done." }], after: "finish" });

const end = (on: Database, ...agentIds: string[]) => {
  const { saveArtifact } = createArtifactDeps({ db: on, newId });
  const deps = { db: on, newId, saveArtifact, agentLimits: DEFAULT_AGENT_LIMITS };
  return endAgents({ ...deps, log: createLogger("silent") }, agentIds);
};

describe("the statements", () => {
  it.each([1, 3])(
    "that start %i agents of one message are five, in one transaction",
    async (count) => {
      const recorded = recordStatements(db);
      const titles = Array.from({ length: count }, (_, index) => `agent ${index}`);
      const claimed: ClaimedChat[] = [];
      const chatId = await startInStep(titles, claimInto(claimed), recorded.db);
      expect(recorded.statements).toEqual([
        "lock-chat",
        "read-agent-use",
        "insert-chats",
        "locked-note_task",
        "claim-new-chats",
      ]);
      const agents = await listAgents(db, chatId);
      expect(agents.map(({ title }) => title)).toEqual(titles);
      expect(claimed.map(({ title }) => title).toSorted()).toEqual(titles);
    },
  );

  it("that end an agent, of which its chat takes note, are two", async () => {
    const chatId = await createRoot();
    const agentId = await startTestAgent(db, { chatId });
    await answer(agentId);
    const recorded = recordStatements(db);
    await end(recorded.db, agentId);
    expect(recorded.statements).toEqual(["read-agent-ends", "note-agent-ends"]);
    expect((await readChat(db, chatId)).reportCount).toBe(1);
  });

  it("that end three agents are as many, in the order of their ends", async () => {
    const chatId = await createRoot();
    const ids: string[] = [];
    for (const title of ["one", "two", "three"]) {
      const id = await startTestAgent(db, { chatId, title });
      await answer(id);
      ids.push(id);
    }
    const [one = "", two = "", three = ""] = ids;
    const { updatedAt } = await readChat(db, three);
    const later = new Date(updatedAt.getTime() + 1_000);
    await db.prisma.chat.update({ where: { id: one }, data: { updatedAt: later } });
    const recorded = recordStatements(db);
    await end(recorded.db, one, two, three);
    expect(recorded.statements).toEqual(["read-agent-ends", "note-agent-ends"]);
    const chat = await readChat(db, chatId);
    expect(chat.reportCount).toBe(3);
    const taken = await db.transaction((tx) =>
      takeReports(tx, { chatId, revision: chat.version + 1 }),
    );
    expect(taken.map(({ agentChatId }) => agentChatId)).toEqual([two, three, one]);
  });

  it("that end agents of two chats, which take note, are as many as for one", async () => {
    const { chatIds, agentIds } = await createTwo();
    const recorded = recordStatements(db);
    await end(recorded.db, ...agentIds);
    expect(recorded.statements).toEqual(["read-agent-ends", "note-agent-ends"]);
    const chats = await Promise.all(chatIds.map((chatId) => readChat(db, chatId)));
    expect(chats.map(({ reportCount }) => reportCount)).toEqual([1, 1]);
  });

  it("that end agents lock each chat alone when they failed together, so that one keeps no other back", async () => {
    const { chatIds, agentIds } = await createTwo();
    const failing: Database = {
      ...db,
      query: (statement, values) =>
        statement.name === "note-agent-ends"
          ? Promise.reject(new Error("refused together"))
          : db.query(statement, values),
      transaction: (run) =>
        db.transaction((tx) =>
          run({
            ...tx,
            query: (statement, values) =>
              statement.name === "end-agent-tasks" && values.includes(chatIds[0])
                ? Promise.reject(new Error("refused alone"))
                : tx.query(statement, values),
          }),
        ),
    };
    await expect(end(failing, ...agentIds)).rejects.toThrow("refused alone");
    const chats = await Promise.all(chatIds.map((chatId) => readChat(db, chatId)));
    expect(chats.map(({ reportCount }) => reportCount)).toEqual([0, 1]);
  });

  it("that end an agent look up its chat by the id, also by a plan that was made for an empty table", async () => {
    const [rootId, taskId, agentId] = [newId(), newId(), newId()];
    const report = { output: "", for_user: null, artifacts: [] };
    const ends = [
      { rootId, taskId, agentId, historyVersion: 1, state: "completed" as const, report },
    ];
    const plan = await explainForEmpty((explained) =>
      noteAgentEnds(explained, { roots: [{ id: rootId, version: 1 }], ends }),
    );
    expect(plan).toContain("on chat");
    expect(plan.match(READS_ALL)).toBeNull();
  });

  it("that count agents before a start look them up by ids, also by a plan that was made for an empty table", async () => {
    const [rootChatId, turnId] = [newId(), newId()];
    const plan = await explainForEmpty(async (explained) => {
      await readAgentUse(explained, { rootChatId, turnId, ids: [newId()] }).catch(() => undefined);
    });
    expect(plan).toContain("on chat");
    expect(plan.match(READS_ALL)).toBeNull();
  });

  it("that claim new agents look them up by their ids, also by a plan that was made for an empty table", async () => {
    const plan = await explainForEmpty((explained) =>
      claimNewChats(explained, { chatIds: [newId()], owner: OWNER, limit: 1, full: [] }),
    );
    expect(plan).toContain("on chat");
    expect(plan.match(READS_ALL)).toBeNull();
  });

  it("that find that an agent works are one", async () => {
    const chatId = await createRoot();
    const agentId = await startTestAgent(db, { chatId });
    const recorded = recordStatements(db);
    await end(recorded.db, agentId);
    expect(recorded.statements).toEqual(["read-agent-ends"]);
  });
});

describe("agents that their worker claims with their start", () => {
  it("are as many as it has room for, and begin with what a claim has", async () => {
    const claimed: ClaimedChat[] = [];
    await startInStep(["one", "two"], claimInto(claimed, { limit: 1 }));
    expect(claimed.map(({ title }) => title)).toEqual(["one"]);
    const others = await claimChats(db, { owner: OWNER, limit: 10_000 });
    const other = others.find(({ title }) => title === "two");
    const [one] = claimed;
    const own = {
      id: one?.id,
      title: "one",
      turnId: one?.turnId,
      leaseToken: one?.leaseToken,
      createdAt: one?.createdAt,
      history: one?.history,
      leaseExpiresAt: expect.any(Date) as Date,
      updatedAt: one?.updatedAt,
    };
    expect(one).toEqual({ ...other, ...own });
    expect(one?.leaseToken).toMatch(/^[-0-9a-f]{36}$/);
    const [prompt] = await readWholeHistory(db, one?.id ?? "");
    expect(prompt).toMatchObject(one?.history?.[0] ?? {});
    expect(one?.history).toMatchObject([{ parts: [{ type: "text", text: "Work on one." }] }]);
  });

  it("are none of a group that has no free slot, nor those that are queued", async () => {
    const claimed: ClaimedChat[] = [];
    const titles = Array.from({ length: DEFAULT_AGENT_LIMITS.running + 1 }, (_, at) => `a${at}`);
    await startInStep(titles, claimInto(claimed));
    expect(claimed).toHaveLength(DEFAULT_AGENT_LIMITS.running);
    const [, provider = ""] = claimed[0]?.groups ?? [];
    await startInStep(["one"], claimInto(claimed, { full: [provider] }));
    expect(claimed).toHaveLength(DEFAULT_AGENT_LIMITS.running);
  });
});

describe("starts of one message", () => {
  it("begin each or not, as their calls say", async () => {
    const steps = [calls(spawn("bad", { type: "unknown" }), spawn("good")), textStep("Fine.")];
    const fixture = await createTurnFixture({ steps });
    await fixture.run();
    expect((await callNamed(fixture, "bad")).output).toContain("no agent type");
    expect((await callNamed(fixture, "good")).state).toBe("completed");
    expect(await getAgents(fixture)).toMatchObject([{ title: "good", task: { state: "running" } }]);
  });
});
