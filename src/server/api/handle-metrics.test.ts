import { Registry } from "prom-client";
import { beforeAll, describe, expect, it } from "vitest";
import { v7 as newId } from "uuid";
import { CLIENT_ADDRESS_HEADER } from "@/server/client-address";
import type { Database } from "@/server/db/connection/database";
import { submitToolResult } from "@/server/chat/submit-tool-result";
import { appMetrics } from "@/server/metrics/app-metrics";
import { commitAnswer, openCall } from "@/test/park-chat";
import { createRecordMeter } from "@/server/metrics/meters";
import { createTurnMeter } from "@/server/metrics/turn-meter";
import { ORIGIN } from "@/test/api-client";
import { writeChat } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { createUnreachableDatabase } from "@/test/database-doubles";
import { createUser } from "@/test/factories";
import { createChat } from "@/server/chat/create-chat";
import { completeTask } from "@/server/tasks/task-reports";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { startTestAgent } from "@/test/agent-fixture";
import { beginTestTask } from "@/test/task-fixture";
import { handleMetrics } from "./handle-metrics";

const TOKEN = "a token for tests, which opens nothing of value";

let db: Database;
beforeAll(async () => {
  db = await testDatabase();
});

const from = (address: string) => ({ [CLIENT_ADDRESS_HEADER]: address });

const get = async (
  headers: Record<string, string> = from("127.0.0.1"),
  settings: { metricsToken?: string | null } = {},
) => {
  const register = new Registry();
  const turns = createTurnMeter(createRecordMeter(register), []);
  turns.record("turns", { ending: "finished" });
  const faults: unknown[] = [];
  const response = await handleMetrics(new Request(`${ORIGIN}/metrics`, { headers }), {
    db,
    metrics: { register },
    settings: { metricsToken: null, ...settings },
    log: { error: (fields) => faults.push(fields) },
  });
  return {
    status: response.status,
    headers: response.headers,
    text: await response.text(),
    faults,
  };
};

describe("handleMetrics", () => {
  it("returns counters and chats by status in the Prometheus text format", async () => {
    const userId = await createUser(db);
    await writeChat(db, userId, { status: "requires_action" });
    await writeChat(db, userId, { status: "requires_action", archivedAt: new Date() });
    const before = await db.prisma.chat.count({
      where: { status: "requires_action", archivedAt: null },
    });
    const { status, headers, text } = await get();
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toContain('parley_turns_total{ending="finished"} 1');
    expect(text).toContain(`parley_chats{status="requires_action"} ${before}`);
    expect(text).toMatch(/parley_chats\{status="error"\} \d+/);
    for (const line of text.split("\n")) expect(line).toMatch(/^(#.*|[a-z_]+(\{.*\})? \S+|)$/);
  });

  it("returns the tasks that have not ended, by kind and state", async () => {
    const { id: chatId } = await createChat(await createTestContext(db), {
      content: toTextContent("hello"),
    });
    await beginTestTask(db, { chatId, kind: "command" });
    const taskId = await beginTestTask(db, { chatId, kind: "command" });
    const report = { output: "Done.", for_user: null, artifacts: [] };
    await completeTask({ db, newId }, { taskId, chatId, state: "completed", report });
    const running = await db.prisma.task.count({ where: { kind: "command", state: "running" } });
    const { text } = await get();
    expect(text).toContain(`parley_tasks{kind="command",state="running"} ${running}`);
    expect(text).toContain('parley_tasks{kind="tool",state="queued"} 0');
    expect(text).not.toMatch(/parley_tasks\{.*completed/);
  });

  it("returns the agents by the status of their chats", async () => {
    const { id: chatId } = await createChat(await createTestContext(db), {
      content: toTextContent("hello"),
    });
    await startTestAgent(db, { chatId });
    // Tests of other files may start agents in the same database meanwhile.
    const isCounted = async () => {
      const pending = await db.prisma.chat.count({
        where: { parentChatId: { not: null }, status: "pending", archivedAt: null },
      });
      const { text } = await get();
      return pending > 0 && text.includes(`parley_agents{status="pending"} ${pending}\n`);
    };
    await expect.poll(isCounted).toBe(true);
  });

  it("returns the calls that wait for clients, of a limited number of tools, and their wait when one is answered", async () => {
    const ctx = await createTestContext(db);
    const { id: chatId } = await createChat(ctx, { content: toTextContent("hello") });
    const names = Array.from({ length: 30 }, (_, index) => `tool_${index}`);
    const often = openCall("often", "often");
    const startedAt = new Date(Date.now() - 50_000);
    await commitAnswer(db, chatId, {
      parts: [
        { ...often, startedAt },
        ...Array.from({ length: 9 }, (_, index) => openCall(`often_${index}`, "often")),
        ...names.map((name) => openCall(name, name)),
      ],
      after: "park",
    });
    const { text } = await get();
    expect(Number(/parley_open_calls\{tool="often"\} (\d+)/.exec(text)?.[1])).toBeGreaterThan(9);
    expect(text.match(/parley_open_calls\{/g)).toHaveLength(21);
    expect(Number(/parley_open_calls\{tool="other"\} (\d+)/.exec(text)?.[1])).toBeGreaterThan(9);
    expect(text).toMatch(/^parley_runners\{toolset="other"\} 0$/m);
    expect(Number(/^parley_oldest_open_call_seconds (\S+)/m.exec(text)?.[1])).toBeGreaterThan(49);
    const readWaits = async () => {
      const waits = await appMetrics().register.getSingleMetricAsString("parley_call_wait_seconds");
      return Number(/^\S+_sum (\S+)/m.exec(waits)?.[1]);
    };
    const before = await readWaits();
    const result = { toolCallId: "often", output: "done", isError: false };
    await submitToolResult(ctx, { chatId, messageId: undefined, result });
    expect((await readWaits()) - before).toBeGreaterThan(49);
  });

  it.each(["127.0.0.1", "::1", "::ffff:127.0.0.1"])(
    "requires no token from %s",
    async (address) => {
      expect((await get(from(address))).status).toBe(200);
      expect((await get(from(address), { metricsToken: TOKEN })).status).toBe(200);
    },
  );

  it.each([
    ["another machine", from("203.0.113.9")],
    ["a client of unknown address", from("unknown")],
    ["a client without address", {}],
    ["a client that forwards another one", { "x-forwarded-for": "127.0.0.1" }],
    ["a host that looks local", from("127.0.0.1.example.org")],
  ])("requires a token from %s", async (_, headers) => {
    expect((await get(headers)).status).toBe(403);
    const settings = { metricsToken: TOKEN };
    expect((await get(headers, settings)).status).toBe(401);
    const wrong = { ...headers, authorization: `Bearer ${TOKEN}!` };
    expect((await get(wrong, settings)).status).toBe(401);
    const right = { ...headers, authorization: `Bearer ${TOKEN}` };
    expect((await get(right, settings)).status).toBe(200);
  });

  it("returns a problem without details when the database fails", async () => {
    const broken = createUnreachableDatabase(db, newId());
    const faults: unknown[] = [];
    const request = new Request(`${ORIGIN}/metrics`, { headers: from("127.0.0.1") });
    const response = await handleMetrics(request, {
      db: broken,
      metrics: { register: new Registry() },
      settings: { metricsToken: null },
      log: { error: (fields) => faults.push(fields) },
    });
    expect(response.status).toBe(500);
    expect(faults).toHaveLength(1);
  });
});
