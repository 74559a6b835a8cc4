import { setTimeout as pause } from "node:timers/promises";
import { expect, test as base } from "@playwright/test";
import type { Chat } from "@/contract/chat";
import type { ToolCallPart } from "@/contract/part";
import { type Blow, expectAnsweredOnce } from "./bot-torture";
import { createExampleFolder, type ExampleFolder, listCalls } from "./example-programs";
import { HANG_MS } from "./limits";
import { startRunner, TOOLS } from "./polling-runner";
import { createTestServer, type TestServer } from "./server";
import { waitUntil } from "./wait-until";

const test = base.extend<{ folder: ExampleFolder; server: TestServer }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright derives the dependencies from it
  folder: async ({}, use) => {
    const folder = createExampleFolder();
    await use(folder);
    await folder.remove();
  },
  // eslint-disable-next-line no-empty-pattern -- Playwright derives the dependencies from it
  server: async ({}, use) => {
    const server = await createTestServer();
    await server.start();
    await use(server);
    await server.remove();
  },
});

const CALLS = 200;
const STEP = 10;
const LEASE_SECONDS = 10;
/** No lease ends in the first 30 s after a start. */
const HOLD_OFF_SECONDS = 30;

const NAMES = Array.from({ length: STEP }, (_, index) => `note-${index}`);

/** Tools whose effect is a line of the file `effects`. They take a moment, so that a kill finds some at work. */
const createNotes = (repeatable: boolean): string => `
import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const run = async (args, { key, signal }) => {
  appendFileSync("effects", process.env.HOLDER + " " + key + " " + Date.now() + "\\n");
  await pause(300, undefined, { signal });
  return "done";
};
const tool = { run, repeatable: ${repeatable} };
export { ${NAMES.map((name) => `tool as "${name}"`).join(", ")} };
`;

/** Leases end by the clock. */
const pass = (seconds: number): Promise<void> => pause(seconds * 1000);

/** A call that a runner has begun. */
type Effect = { holder: string; key: string; at: number };

/** Lets chats call 200 tools, and kills one of two runners at work. @returns all calls, when none is open any more. */
const killOneOfTwo = async (
  server: TestServer,
  folder: ExampleFolder,
  repeatable: boolean,
): Promise<{ calls: ToolCallPart[]; effects: Effect[]; killedAt: number }> => {
  const { api } = server;
  folder.write("notes.mjs", createNotes(repeatable));
  const [killed] = ["one", "two"].map((HOLDER) =>
    startRunner(folder, server, { HOLDER, LEASE_SECONDS: `${LEASE_SECONDS}` }, "notes.mjs"),
  );
  // The server has been up for so long that leases end.
  await pass(HOLD_OFF_SECONDS);
  const listEffects = (): Effect[] =>
    folder.lines("effects").map((line) => {
      const [holder = "", key = "", at] = line.split(" ");
      return { holder, key, at: Number(at) };
    });
  const create = (): Promise<Chat> =>
    api.createChat({
      content: `use ${NAMES.join(" and ")}`,
      dynamic_tools: NAMES.map((name) => ({ name, repeatable })),
    });
  const creating = Promise.all(Array.from({ length: CALLS / STEP }, create));
  await waitUntil("the first has begun some calls", HANG_MS, () => {
    const begun = listEffects().filter(({ holder }) => holder === "one");
    return Promise.resolve(begun.length > STEP || undefined);
  });
  killed?.signal("SIGKILL");
  const killedAt = Date.now();
  const chats = await creating;
  for (const { id } of chats) await api.waitForStatus(id, ["waiting"]);
  const calls = await Promise.all(chats.map(({ id }) => listCalls(api, id)));
  return { calls: calls.flat(), effects: listEffects(), killedAt };
};

const isUnknown = ({ output }: ToolCallPart): boolean =>
  typeof output === "string" && output.startsWith("Unknown: ");

test("of 200 calls that may not be repeated none runs twice, although a runner is killed", async ({
  server,
  folder,
}) => {
  const { calls, effects } = await killOneOfTwo(server, folder, false);
  expect(calls).toHaveLength(CALLS);
  expect(effects.length).toBeLessThanOrEqual(CALLS);
  expect(new Set(effects.map(({ key }) => key)).size).toBe(effects.length);
  const lost = calls.filter(({ state }) => state !== "completed");
  // It was at work.
  expect(lost.length).toBeGreaterThan(0);
  expect(lost.length).toBeLessThanOrEqual(4);
  expect(lost.every((call) => call.state === "error" && isUnknown(call))).toBe(true);
});

test("of 200 calls that may be repeated none is unanswered, although a runner is killed", async ({
  server,
  folder,
}) => {
  const { calls, effects, killedAt } = await killOneOfTwo(server, folder, true);
  expect(calls.filter(({ state }) => state === "completed")).toHaveLength(CALLS);
  const keys = new Set(effects.map(({ key }) => key));
  expect(keys.size).toBe(CALLS);
  const takenOver = effects.filter(
    ({ key }, index) => effects.findIndex((other) => other.key === key) < index,
  );
  // It was at work.
  expect(takenOver.length).toBeGreaterThan(0);
  const waits = takenOver.map(({ at }) => (at - killedAt) / 1000);
  expect(Math.max(...waits)).toBeLessThan(LEASE_SECONDS + 2);
});

test("a holder that was frozen for longer than its lease changes nothing", async ({
  server,
  folder,
}) => {
  const { api } = server;
  folder.write("tools.mjs", TOOLS);
  await pass(HOLD_OFF_SECONDS);
  const env = { LEASE_SECONDS: `${LEASE_SECONDS}`, CONCURRENCY: "1" };
  const first = startRunner(folder, server, { ...env, HOLDER: "one" });
  const { id } = await api.createChat({
    content: "use hold_again",
    dynamic_tools: [{ name: "hold_again", repeatable: true }],
  });
  await expect.poll(() => folder.lines("effects")).toHaveLength(1);
  first.signal("SIGSTOP");
  startRunner(folder, server, { ...env, HOLDER: "two" });
  await expect.poll(() => folder.lines("effects")).toHaveLength(2);
  const { version } = await api.chat(id);
  folder.write("go-one", "");
  first.signal("SIGCONT");
  await expect.poll(() => first.output()).toMatch(/409 .*"reason":"lease_lost"/);
  expect(await api.chat(id)).toMatchObject({
    version,
    required_action: { tool_calls: [{ attempt: 2, claim: { holder: "two/0" } }] },
  });
  folder.write("go-two", "");
  await api.waitForStatus(id, ["waiting"]);
  expect(await listCalls(api, id)).toMatchObject([{ state: "completed", output: "two" }]);
});

test("a holder keeps its calls while the server is away for longer than a lease", async ({
  server,
  folder,
}) => {
  const { api } = server;
  folder.write("tools.mjs", TOOLS);
  const env = { LEASE_SECONDS: `${LEASE_SECONDS}`, CONCURRENCY: "1" };
  startRunner(folder, server, { ...env, HOLDER: "one" });
  const { id } = await api.createChat({
    content: "use hold",
    dynamic_tools: [{ name: "hold" }],
  });
  await expect.poll(() => folder.lines("effects")).toHaveLength(1);
  startRunner(folder, server, { ...env, HOLDER: "two" });
  for (const stop of [server.stop, server.kill]) {
    await stop();
    await pass(LEASE_SECONDS + 2);
    await server.start();
    // Longer than no lease ends.
    await pass(HOLD_OFF_SECONDS + 2);
    expect(await listCalls(api, id)).toMatchObject([{ state: "awaiting_result" }]);
  }
  folder.write("go", "");
  await api.waitForStatus(id, ["waiting"]);
  expect(await listCalls(api, id)).toMatchObject([{ state: "completed", output: "one" }]);
  expect(folder.lines("effects")).toHaveLength(1);
});

test("the bot answers each of 24 messages once, over kills and cuts", async ({
  server,
  folder,
}) => {
  const blows: Blow[] = ["kill the bot", "cut its connections", "kill the server"];
  await expectAnsweredOnce(folder, server, {
    messages: 24,
    threads: 6,
    blows: [...blows, ...blows, ...blows],
  });
});
