import type { StreamEvent } from "@/contract/stream-event";
import { chatPage } from "./chat-page";
import { countProcesses, lastOutput, useExec } from "./exec-calls";
import { expectLittleMemory } from "./exec-memory";
import { expect, test } from "./fixtures";
import { createTestServer } from "./server";

const MEGABYTE = 1024 * 1024;

/** @returns the live output that an event adds. */
const readOutput = (event: StreamEvent): string =>
  event.type === "preview"
    ? event.ops.map((op) => (op.op === "output-append" ? op.text : "")).join("")
    : "";

test("a background command ends with its server, and is unknown afterwards", async () => {
  const server = await createTestServer();
  const { api } = server;
  try {
    await server.start();
    const seconds = 700_000 + process.pid;
    const command = `echo begun; setsid sleep ${seconds} & sleep ${seconds}`;
    const { id } = await api.createChat({
      content: useExec({ action: "run", command, background: true, timeout: 0 }),
    });
    await api.waitForStatus(id);
    const started = await lastOutput(api, id);
    expect(started?.status).toBe("running");
    await expect.poll(() => countProcesses(`sleep ${seconds}`)).toBeGreaterThan(1);

    await server.kill();
    await expect.poll(() => countProcesses(`sleep ${seconds}`)).toBe(0);
    await server.start();
    await api.send(id, useExec({ action: "read", session_id: started?.session_id }));
    await expect.poll(async () => (await lastOutput(api, id))?.status).toBe("unknown");
    expect(countProcesses(`sleep ${seconds}`)).toBe(0);
  } finally {
    await server.remove();
  }
});

test("a client of the stream sees the first line before the second is made", async ({ api }) => {
  const controller = new AbortController();
  const command = "echo first; until [ -e go ]; do sleep 0.1; done; echo second";
  const { id, version } = await api.createChat({ content: useExec({ action: "run", command }) });
  let text = "";
  for await (const event of api.stream(id, version, controller.signal)) {
    text += readOutput(event);
    if (text.includes("first")) break;
  }
  controller.abort();
  expect(text).toBe("first\n");
  expect((await api.chat(id)).status).toBe("running");
  await api.interrupt(id);
  await api.waitForStatus(id);
});

test("50 chats run a command at once, and each gets its own output", async ({ api }) => {
  const numbers = Array.from({ length: 50 }, (_, index) => index);
  const ids = await Promise.all(
    numbers.map(async (number) => {
      const command = `echo ${number} > own; sleep 0.2; cat own; ls`;
      return (await api.createChat({ content: useExec({ action: "run", command }) })).id;
    }),
  );
  for (const [number, id] of ids.entries()) {
    await api.waitForStatus(id);
    expect((await lastOutput(api, id))?.output).toBe(`${number}\nown\n`);
  }
});

test("an output of 10 MB takes little memory of the server", async () => {
  await expectLittleMemory(10_000_000);
});

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
  await api.waitForStatus(id);
  const { openChat, sendMessage, answers, log } = chatPage(page);
  await openChat(id);
  await expect(answers).toHaveCount(1);
  const receivedBefore = receivedBytes;
  const command = "seq 1 2000000 | head -c 10000000; echo the end";
  await sendMessage(useExec({ action: "run", command }));
  await expect(answers.last()).toContainText("The tool has answered");
  await expect(log.getByText("the end").last()).toBeAttached();
  expect(receivedBytes - receivedBefore).toBeLessThan(MAX_RECEIVED_BYTES);
  const shown = await page.evaluate(() => document.body.textContent.length);
  expect(shown).toBeLessThan(MAX_SHOWN_CHARACTERS);
  testInfo.annotations.push({
    type: "received bytes",
    description: `${receivedBytes - receivedBefore}`,
  });
});
