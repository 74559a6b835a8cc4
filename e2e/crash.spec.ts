import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import {
  type CrashClients,
  createClients,
  createSeededRandom,
  findInconsistencies,
  findViewDifferences,
  isCaughtUp,
  type TrackedChat,
} from "./crash-clients";
import { createTestServer, type TestServer } from "./server";
import { isEmbedded } from "./test-database";
import { waitUntil } from "./wait-until";

const ROUNDS = 25;
/** Chats created at the start of each round; clients also act on those of the previous round. */
const NEW_CHATS = 4;
/** The server crashes at a random time between these. */
const MIN_UPTIME_MS = 30;
const MAX_UPTIME_MS = 1_600;
/** Clients that act at the same time. */
const CLIENTS = 4;
/** Pause between actions of a client; without it, the queues would only be full. */
const CLIENT_PAUSE_MS = 60;
/** Turns settle a few seconds after a restart; the rest is for slow machines. */
const SETTLE_TIMEOUT_MS = 25_000;
/** Duration of the lease of a worker. */
const LEASE_MS = 30_000;

/** Runs the clients until the server is killed. */
const runUntilCrash = async (
  server: TestServer,
  clients: CrashClients,
  uptimeMs: number,
): Promise<void> => {
  const controller = new AbortController();
  const knownChats = clients.chats.slice(-2 * NEW_CHATS);
  const streams = clients.chats.map((chat) => clients.followStream(chat, controller.signal));
  const creations = Array.from({ length: NEW_CHATS }, () => clients.create());
  const workers = Array.from({ length: CLIENTS }, async () => {
    while (!controller.signal.aborted) {
      await clients.runRandomAction([...knownChats, ...clients.chats.slice(-NEW_CHATS)]);
      await pause(CLIENT_PAUSE_MS);
    }
  });
  // The time of the crash is what varies between rounds.
  await pause(uptimeMs);
  await server.kill();
  controller.abort();
  await Promise.all([...streams, ...creations, ...workers]);
};

/** Expects that every chat settles after a restart and matches the responses to its clients. */
const expectConsistent = async (
  server: TestServer,
  clients: CrashClients,
  { timeoutMs, chats }: { timeoutMs: number; chats: readonly TrackedChat[] },
): Promise<void> => {
  const controller = new AbortController();
  const streams = chats.map((chat) => clients.followStream(chat, controller.signal));
  const errors: string[] = [];
  for (const chat of chats) {
    const now = await server.api.waitForStatus(chat.id, timeoutMs);
    errors.push(...(await findInconsistencies(server, chat)));
    await waitUntil(`the stream of ${chat.id} is caught up`, timeoutMs, async () =>
      isCaughtUp(chat, await server.api.chat(chat.id)) ? true : undefined,
    );
    expect(chat.view.chat?.status).toBe(now.status);
    errors.push(...(await findViewDifferences(server, chat)));
  }
  controller.abort();
  await Promise.all(streams);
  expect(errors).toEqual([]);
};

test(`no data is lost in ${ROUNDS} crashes at random times`, async () => {
  test.setTimeout(300_000);
  const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
  console.log(`CRASH_SEED=${seed}`);
  const random = createSeededRandom(seed);
  const server = await createTestServer();
  try {
    const clients = createClients(server, random);
    await server.start();
    for (let round = 1; round <= ROUNDS; round++) {
      const uptimeMs = MIN_UPTIME_MS + random() * (MAX_UPTIME_MS - MIN_UPTIME_MS);
      await test.step(`round ${round}: crash after ${Math.round(uptimeMs)} ms`, async () => {
        await runUntilCrash(server, clients, uptimeMs);
        await server.database.expireLeases();
        await server.start();
        await expectConsistent(server, clients, {
          timeoutMs: SETTLE_TIMEOUT_MS,
          chats: clients.chats.slice(-3 * NEW_CHATS),
        });
      });
    }
    await expectConsistent(server, clients, { timeoutMs: SETTLE_TIMEOUT_MS, chats: clients.chats });
    // Without chats the crashes would interrupt no work.
    expect(clients.chats.length).toBeGreaterThan(ROUNDS);
  } catch (error) {
    await test.info().attach("server", { body: server.output() });
    throw error;
  } finally {
    await server.remove();
  }
});

test("a turn continues by itself after a crash", async () => {
  test.setTimeout(120_000);
  const server = await createTestServer();
  try {
    await server.start();
    const { id } = await server.api.createChat({ content: "slow 100ms write 30 words" });
    await server.api.waitForStatus(id, SETTLE_TIMEOUT_MS, ["running"]);
    await server.kill();
    await server.start();
    // A single process takes over leases at its start; with PostgreSQL they have to expire.
    const chat = await server.api.waitForStatus(
      id,
      isEmbedded ? SETTLE_TIMEOUT_MS : LEASE_MS + SETTLE_TIMEOUT_MS,
    );
    expect(chat.status).toBe("waiting");
    const { messages } = await server.api.history(id);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  } finally {
    await server.remove();
  }
});
