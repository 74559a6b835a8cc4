import { statSync } from "node:fs";
import pg from "pg";
import type { ChatStatus } from "@/contract/chat";
import { startPrivatePostgres } from "../scripts/private-postgres.mjs";
import type { Api, NewChat } from "./api";
import { expect, test } from "./fixtures";
import { createChatCopier } from "./large-database";
import { LOG_PLANS, readPlans, type StatementRun } from "./read-plans";
import { createTestServer, type TestServer } from "./server";
import { createTestDatabase } from "./test-database";

const ASKING: NewChat = {
  content: "call ask",
  dynamic_tools: [{ name: "ask", description: "Asks.", input_schema: { type: "object" } }],
};
const DELEGATING = "spawn 2 agents to write 5 words";
const WAITING_AGENT = 'use spawn_agent with {"title": "Runner", "prompt": "run `echo ran`"}';
/** Agents that wait for a person. */
const OPEN_AGENTS = 2_000;

/** Has what is parked: who begins to watch reads all that waits for them. */
const OTHER = "other";

/** What administrators declare, and what a start reads. */
const SMALL_TABLES = new Set([
  "_prisma_migrations",
  "api_key",
  "mcp_server",
  "model",
  "recipe",
  "setting",
  "toolset",
  "user",
]);
/** One row for each owner who reads events, every 15 minutes. */
const READ_RARELY = new Set(["event_reader"]);

/** A statement takes at most a hundred of what waits, by some rows each. */
const MAX_ROWS = 500;
/** Looks through all agents at work, as no index joins a task to the state of its chat. */
const OF_OPEN_AGENTS = "FROM task JOIN chat AS agent";

/** A statement of each timer of a process that is idle, and of one that is watched. The slowest comes every 10 seconds. */
const OF_TIMERS = [
  OF_OPEN_AGENTS,
  "AS deadlines",
  "session_owner IS NULL OR",
  "lease_token <> ALL",
];
const OF_WATCHERS = "UNION SELECT id";

const startChat = async (api: Api, fields: NewChat, status: ChatStatus): Promise<string> => {
  const { id } = await api.createChat(fields);
  await api.waitForStatus(id, [status]);
  return id;
};

/** A chat of each kind of which a server has many after years. */
const startOriginals = async (api: Api) => {
  const resting = await startChat(api, { content: "write 20 words" }, "waiting");
  const parked = await startChat(api, ASKING, "requires_action");
  const delegated = await startChat(api, { content: DELEGATING }, "waiting");
  await expect
    .poll(async () => (await api.tasks(delegated)).map(({ state }) => state))
    .toEqual(["completed", "completed"]);
  await api.waitForStatus(delegated, ["waiting"]);
  await api.request("PUT /tools/exec", { mode: "ask" });
  const waiting = await startChat(api, { content: WAITING_AGENT }, "waiting");
  await expect
    .poll(async () => (await api.children(waiting)).map(({ status }) => status))
    .toEqual(["requires_action"]);
  await api.request("PUT /tools/exec", { mode: "on" });
  return { resting, parked, delegated, waiting };
};

const fill = async (
  pool: pg.Pool,
  originals: Awaited<ReturnType<typeof startOriginals>>,
): Promise<void> => {
  // What the filling does is not of interest.
  await pool.query("SET auto_explain.log_min_duration = -1");
  await pool.query(`INSERT INTO "user" SELECT (jsonb_populate_record(o, $1)).* FROM "user" AS o`, [
    { id: OTHER, email: "other@example.org" },
  ]);
  const copier = await createChatCopier(pool);
  await copier.copy(originals.resting, 100_000, {
    archived_at: "CASE WHEN c.n % 10 = 0 THEN now() END",
    kept_hours: "CASE WHEN c.n % 10 = 1 THEN 1000000 END",
  });
  // Some rest with reports that do not wake them.
  await copier.copy(originals.delegated, 30_000, {
    report_count: "CASE WHEN c.n % 10 = 0 THEN 1 ELSE 0 END",
    wake_on_reports: "c.n % 10 <> 0",
  });
  await copier.copy(originals.parked, 5_000, { owner_id: `'${OTHER}'` });
  await copier.copy(originals.waiting, OPEN_AGENTS, { owner_id: `'${OTHER}'` });
  await pool.query(`INSERT INTO event (owner_id, chat_id, root_chat_id, version, type)
      SELECT owner_id, id, id, 1, 'chat.created' FROM chat LIMIT 50000;
    INSERT INTO idempotency_key (owner_id, route, key, body_hash, status, headers, chat_id)
      SELECT owner_id, 'POST /chats', id::text, 'x', 201, '{}', id FROM chat LIMIT 50000;
    INSERT INTO artifact (id, chat_id, owner_id, name, media_type, size, hash)
      SELECT gen_random_uuid(), id, owner_id, 'a', 'text/plain', 0, 'x' FROM chat LIMIT 50000;
    INSERT INTO read_mark (chat_id, user_id, version) SELECT id, owner_id, 1 FROM chat`);
  await pool.query("VACUUM ANALYZE");
};

/** Turns of each kind, while a page and a program watch. */
const runTurns = async (
  { api, url, apiKey }: TestServer,
  waitForPoll: () => Promise<void>,
): Promise<void> => {
  const ending = new AbortController();
  const headers = { authorization: `Bearer ${apiKey}` };
  const watched = await fetch(`${url}/api/v1/watch`, { headers, signal: ending.signal });
  expect(watched.status).toBe(200);
  for (const content of ["write 20 words", "call current_time", "run `echo ran`", DELEGATING]) {
    const { id } = await api.createChat({ content });
    const stream = api.stream(id, 0, ending.signal);
    await stream.next();
    await api.waitForStatus(id);
    await api.send(id, "write 3 words");
    await api.waitForStatus(id, ["waiting"]);
  }
  await api.request("GET /events");
  const id = await startChat(api, ASKING, "requires_action");
  const { required_action: action } = await api.chat(id);
  const calls = action?.tool_calls ?? [];
  expect(calls).toHaveLength(1);
  await api.submit(
    id,
    calls.map(({ tool_call_id }) => ({ tool_call_id, output: "x" })),
  );
  await api.waitForStatus(id, ["waiting"]);
  await waitForPoll();
  ending.abort();
};

/** Why a run of a statement is slower with more chats; undefined if it is not. */
const findFault = ({ text, scans }: StatementRun): string | undefined => {
  const read = scans.find(
    ({ type, table }) => type === "Seq Scan" && !SMALL_TABLES.has(table) && !READ_RARELY.has(table),
  );
  if (read) return `reads all of ${read.table}`;
  const rows = scans.reduce((sum, scan) => sum + scan.rows, 0);
  const most = text.includes(OF_OPEN_AGENTS) ? MAX_ROWS + 2 * OPEN_AGENTS : MAX_ROWS;
  return rows > most ? `reads ${rows} rows` : undefined;
};

test("what runs by a timer or in a turn reads few rows of a database with 200,000 chats", async () => {
  const server = await startPrivatePostgres(undefined, { settings: LOG_PLANS });
  const database = await createTestDatabase(server.url, "nothing");
  const parley = await createTestServer({ database });
  const pool = new pg.Pool({ connectionString: database.env.DATABASE_URL, max: 1 });
  try {
    await parley.start();
    const originals = await startOriginals(parley.api);
    await parley.stop();
    await fill(pool, originals);
    const from = statSync(server.log).size;
    await parley.start();
    const waitFor = (text: string, times: number) =>
      expect
        .poll(() => readPlans(server.log, from).filter((run) => run.text.includes(text)).length)
        .toBeGreaterThanOrEqual(times);
    for (const text of OF_TIMERS) await waitFor(text, 2);
    await runTurns(parley, () => waitFor(OF_WATCHERS, 1));
    await parley.stop();

    const runs = readPlans(server.log, from);
    const texts = new Set(runs.map(({ text }) => text));
    for (const known of ["AS turns", "AS deadlines", OF_OPEN_AGENTS, "kept_hours", "notice"])
      expect([...texts].join("\n")).toContain(known);
    const faults = runs.flatMap((run) => {
      const fault = findFault(run);
      return fault === undefined ? [] : [`${fault}: ${run.text}`];
    });
    expect([...new Set(faults)]).toEqual([]);
  } finally {
    await pool.end();
    await parley.remove();
    await server.stop();
  }
});
