import { setTimeout as pause } from "node:timers/promises";
import {
  createWorld,
  type CrashChat,
  crashProblems,
  isCaughtUp,
  seededChance,
  viewProblems,
  type World,
} from "./crash-world";
import { expect, test } from "@playwright/test";
import { isEmbedded } from "./own-database";
import { createServerOfOwn, type Server } from "./server";
import { until } from "./until";

const ROUNDS = 25;
/** Chats that each round begins with; those of the round before are worked on too. */
const NEW_CHATS = 4;
/** A crash comes at any time between. */
const MIN_LIFE_MS = 30;
const MAX_LIFE_MS = 1_600;
/** Clients that act at the same time. */
const CLIENTS = 4;
/** People and programs do not write as fast as they can; more would only fill the queues. */
const CLIENT_PAUSE_MS = 60;
/** What is left of the turns after a restart takes a few seconds; the rest is for a busy machine. */
const REST_MS = 25_000;
/** A worker's lease, which runs out by itself when nobody helps. */
const LEASE_MS = 30_000;

/** Clients work and watch until the server dies under them. */
const liveAndDie = async (server: Server, world: World, lifeMs: number): Promise<void> => {
  const life = new AbortController();
  const known = world.chats.slice(-2 * NEW_CHATS);
  const watching = world.chats.map((chat) => world.watch(chat, life.signal));
  const creating = Array.from({ length: NEW_CHATS }, () => world.create());
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!life.signal.aborted) {
      await world.act([...known, ...world.chats.slice(-NEW_CHATS)]);
      await pause(CLIENT_PAUSE_MS);
    }
  });
  // The moment of the crash is what this is about.
  await pause(lifeMs);
  await server.kill();
  life.abort();
  await Promise.all([...watching, ...creating, ...clients]);
};

/** After a restart every chat comes to rest, and is what its clients were told. */
const expectNothingLost = async (
  server: Server,
  world: World,
  { within, chats }: { within: number; chats: readonly CrashChat[] },
): Promise<void> => {
  const ending = new AbortController();
  const watching = chats.map((chat) => world.watch(chat, ending.signal));
  const problems: string[] = [];
  for (const chat of chats) {
    const now = await server.api.rests(chat.id, within);
    problems.push(...(await crashProblems(server, chat)));
    await until(`the watcher of ${chat.id}`, within, async () =>
      isCaughtUp(chat, await server.api.chat(chat.id)) ? true : undefined,
    );
    expect(chat.view.chat?.status).toBe(now.status);
    problems.push(...(await viewProblems(server, chat)));
  }
  ending.abort();
  await Promise.all(watching);
  expect(problems).toEqual([]);
};

test(`${ROUNDS} crashes at random moments lose nothing`, async () => {
  test.setTimeout(300_000);
  const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
  console.log(`CRASH_SEED=${seed}`);
  const chance = seededChance(seed);
  const server = await createServerOfOwn();
  try {
    const world = createWorld(server, chance);
    await server.start();
    for (let round = 1; round <= ROUNDS; round++) {
      const lifeMs = MIN_LIFE_MS + chance() * (MAX_LIFE_MS - MIN_LIFE_MS);
      await test.step(`round ${round}: dies after ${Math.round(lifeMs)} ms`, async () => {
        await liveAndDie(server, world, lifeMs);
        await server.database.expireLeases();
        await server.start();
        await expectNothingLost(server, world, {
          within: REST_MS,
          chats: world.chats.slice(-3 * NEW_CHATS),
        });
      });
    }
    await expectNothingLost(server, world, { within: REST_MS, chats: world.chats });
    // The test is worth something only if the crashes met work.
    expect(world.chats.length).toBeGreaterThan(ROUNDS);
  } catch (error) {
    await test.info().attach("server", { body: server.output() });
    throw error;
  } finally {
    await server.remove();
  }
});

test("a turn that a crash has cut goes on by itself, without anybody's help", async () => {
  test.setTimeout(120_000);
  const server = await createServerOfOwn();
  try {
    await server.start();
    const { id } = await server.api.createChat({ content: "slow 100ms write 30 words" });
    await server.api.rests(id, REST_MS, ["running"]);
    await server.kill();
    await server.start();
    // One process alone knows that no other lives; several wait until the lease has run out.
    const chat = await server.api.rests(id, isEmbedded ? REST_MS : LEASE_MS + REST_MS);
    expect(chat.status).toBe("waiting");
    const { messages } = await server.api.history(id);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  } finally {
    await server.remove();
  }
});
