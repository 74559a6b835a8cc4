import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { ExecResult } from "@/contract/exec";
import type { StreamEvent } from "@/contract/stream-event";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { createTestServer, type TestServer } from "./server";

const TURN_TIMEOUT_MS = 25_000;
/** With PostgreSQL, the chat waits until the heartbeat of the killed process has expired. */
const TAKEOVER_TIMEOUT_MS = 60_000;

/** Counts the processes of this machine whose command line contains a text. */
const countProcesses = (text: string): number =>
  readdirSync("/proc").filter((name) => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").includes(text);
    } catch {
      return false;
    }
  }).length;

const MEGABYTE = 1024 * 1024;

const useExec = (args: object): string => `use exec with ${JSON.stringify(args)}`;

/** @returns the output of the chat's last call. */
const lastOutput = async (
  { api }: Pick<TestServer, "api">,
  chatId: string,
): Promise<ExecResult | undefined> => {
  const { messages } = await api.history(chatId);
  const calls = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool_call" ? [part.output] : [])),
  );
  return calls.at(-1) as ExecResult | undefined;
};

/** @returns the live output that an event adds. */
const readOutput = (event: StreamEvent): string =>
  event.type === "preview"
    ? event.ops.map((op) => (op.op === "output-append" ? op.text : "")).join("")
    : "";

test("a background command ends with its server, and is unknown afterwards", async () => {
  test.setTimeout(150_000);
  const server = await createTestServer();
  const { api } = server;
  try {
    await server.start();
    const seconds = 700_000 + process.pid;
    const command = `echo begun; setsid sleep ${seconds} & sleep ${seconds}`;
    const { id } = await api.createChat({
      content: useExec({ action: "run", command, background: true, timeout: 0 }),
    });
    await api.waitForStatus(id, TURN_TIMEOUT_MS);
    const started = await lastOutput(server, id);
    expect(started?.status).toBe("running");
    await expect.poll(() => countProcesses(`sleep ${seconds}`)).toBeGreaterThan(1);

    await server.kill();
    await expect
      .poll(() => countProcesses(`sleep ${seconds}`), { timeout: 1_000, intervals: [50] })
      .toBe(0);
    await server.start();
    await api.send(id, useExec({ action: "read", session_id: started?.session_id }));
    await expect
      .poll(async () => (await lastOutput(server, id))?.status, { timeout: TAKEOVER_TIMEOUT_MS })
      .toBe("unknown");
    expect(countProcesses(`sleep ${seconds}`)).toBe(0);
  } finally {
    await server.remove();
  }
});

test("a client of the stream sees the first line before the second is made", async () => {
  test.setTimeout(90_000);
  const server = await createTestServer();
  const { api } = server;
  const controller = new AbortController();
  try {
    await server.start();
    const command = "echo first; until [ -e go ]; do sleep 0.1; done; echo second";
    const { id, version } = await api.createChat({ content: useExec({ action: "run", command }) });
    let text = "";
    for await (const event of api.stream(id, version, controller.signal)) {
      text += readOutput(event);
      if (text.includes("first")) break;
    }
    expect(text).toBe("first\n");
    expect((await api.chat(id)).status).toBe("running");
    await api.interrupt(id);
    await api.waitForStatus(id, TURN_TIMEOUT_MS);
  } finally {
    controller.abort();
    await server.remove();
  }
});

test("50 chats run a command at once, and each gets its own output", async ({ api }) => {
  test.setTimeout(150_000);
  const numbers = Array.from({ length: 50 }, (_, index) => index);
  const ids = await Promise.all(
    numbers.map(async (number) => {
      const command = `echo ${number} > own; sleep 0.2; cat own; ls`;
      return (await api.createChat({ content: useExec({ action: "run", command }) })).id;
    }),
  );
  for (const [number, id] of ids.entries()) {
    await api.waitForStatus(id, 120_000);
    expect((await lastOutput({ api }, id))?.output).toBe(`${number}\nown\n`);
  }
});

/** What the output of a command may cost the server, however long it is. */
const MAX_MEMORY_GROWTH_MB = 50;
/** For `clear_refs` of a process: its highest resident memory becomes the present one. */
const RESET_PEAK = "5";

/** @returns the highest resident memory of a process since its last reset, in MB. */
const readPeakMegabytes = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

for (const [length, bytes] of [
  ["10 MB", 10_000_000],
  ["2 GB", 2_000_000_000],
] as const) {
  test(`an output of ${length} takes little memory of the server`, async () => {
    test.setTimeout(240_000);
    const server = await createTestServer();
    const { api } = server;
    const runCommand = async (command: string): Promise<ExecResult | undefined> => {
      const { id } = await api.createChat({
        content: useExec({ action: "run", command, timeout: 150 }),
      });
      await api.waitForStatus(id, 180_000);
      return lastOutput(server, id);
    };
    try {
      await server.start();
      // The first long output loads code, and touches the buffers that the embedded database has reserved.
      await runCommand("seq 1 3000000 | head -c 12000000");
      writeFileSync(`/proc/${server.pid()}/clear_refs`, RESET_PEAK);
      const before = readPeakMegabytes(server.pid());
      const result = await runCommand(`yes | head -c ${bytes}`);
      const growth = readPeakMegabytes(server.pid()) - before;
      expect(result).toMatchObject({ status: "exited", exit_code: 0, truncated: true });
      expect(result?.artifact?.size).toBeGreaterThanOrEqual(Math.min(bytes, 12_000_000));
      const description = `${Math.round(before)} + ${Math.round(growth)} MB`;
      test.info().annotations.push({ type: "memory", description });
      expect(growth).toBeLessThan(MAX_MEMORY_GROWTH_MB);
    } finally {
      await server.remove();
    }
  });
}

/** What a page may receive for a command, however much that writes: live output is cut to 8 KB some ten times a second. */
const MAX_RECEIVED_BYTES = 4 * MEGABYTE;
/** Of the whole page: a card shows both ends of an output. */
const MAX_SHOWN_CHARACTERS = 200_000;

test("a page stays small while a command writes 10 MB", async ({ page, api }, testInfo) => {
  const session = await page.context().newCDPSession(page);
  let receivedBytes = 0;
  await session.send("Network.enable");
  session.on("Network.dataReceived", ({ dataLength }) => (receivedBytes += dataLength));
  const { id } = await api.createChat({ content: "Hello" });
  await api.waitForStatus(id, TURN_TIMEOUT_MS);
  const { openChat, sendMessage, answers, log } = chatPage(page);
  await openChat(id);
  await expect(answers).toHaveCount(1);
  await page.evaluate(() => {
    const tasks: number[] = [];
    new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({ type: "longtask" });
    Object.assign(window, { longTasks: tasks });
  });
  const receivedBefore = receivedBytes;
  const command = "seq 1 2000000 | head -c 10000000; echo the end";
  await sendMessage(useExec({ action: "run", command }));
  await expect(answers.last()).toContainText("The tool has answered");
  await expect(log.getByText("the end").last()).toBeAttached();
  expect(receivedBytes - receivedBefore).toBeLessThan(MAX_RECEIVED_BYTES);
  const shown = await page.evaluate(() => document.body.textContent.length);
  expect(shown).toBeLessThan(MAX_SHOWN_CHARACTERS);
  const tasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks);
  // Durations depend on the machine, so they are reported only.
  const description = `${tasks.length} tasks over 50 ms: ${tasks.map(Math.round).join(", ")}`;
  testInfo.annotations.push({ type: "long tasks", description });
  testInfo.annotations.push({
    type: "received bytes",
    description: `${receivedBytes - receivedBefore}`,
  });
});
