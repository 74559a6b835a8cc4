import { expect, test } from "@playwright/test";
import { type NotificationFault, startNotificationProxy } from "@/test/notification-faults";
import { type Api, createApi } from "./api";
import { HANG_MS } from "./limits";
import { createTestServer } from "./server";

const LATE_MS = 5_000;
const CHATS = 4;

/** Reads the stream of a chat from its beginning until a turn has ended. */
const watchTurn = async (api: Api, chatId: string): Promise<string[]> => {
  const statuses: string[] = [];
  for await (const event of api.stream(chatId, 0, AbortSignal.timeout(HANG_MS))) {
    if (event.type === "chat") statuses.push(event.chat.status);
    if (event.type === "chat" && event.chat.status === "waiting") break;
  }
  return statuses;
};

const readAnswers = async (api: Api, chatId: string): Promise<string[]> => {
  const { messages } = await api.history(chatId);
  return messages
    .filter(({ role }) => role === "assistant")
    .map(({ parts }) => parts.map((part) => (part.type === "text" ? part.text : "")).join(""));
};

/** A process that serves requests and one that works, each behind the proxy. */
const startPair = async () => {
  const web = await createTestServer({ settings: { PARLEY_ROLE: "web" } });
  const { database, owner, apiKey } = web;
  const proxy = await startNotificationProxy(database.env.DATABASE_URL ?? "", LATE_MS);
  database.env.DATABASE_URL = proxy.url;
  web.env.DATABASE_URL = proxy.url;
  const worker = await createTestServer({
    database,
    settings: {
      PARLEY_ROLE: "worker",
      PARLEY_OWNER_EMAIL: owner.email,
      PARLEY_OWNER_PASSWORD: owner.password,
      PARLEY_API_KEY: apiKey,
    },
  });
  return {
    proxy,
    api: createApi(web.url, apiKey),
    start: async (): Promise<void> => {
      await web.start();
      await worker.start();
    },
    remove: async (): Promise<void> => {
      await worker.stop();
      await web.remove();
      await proxy.close();
    },
  };
};

test("notifications that are lost, late, doubled or reordered cost time only", async () => {
  const { proxy, api, start, remove } = await startPair();
  try {
    await start();
    for (const fault of ["lost", "late", "doubled", "reordered"] satisfies NotificationFault[]) {
      proxy.set(fault);
      const before = proxy.count();
      const turns = Array.from({ length: CHATS }, async () => {
        const { id } = await api.createChat({ content: "write 3 words" });
        expect((await watchTurn(api, id)).at(-1)).toBe("waiting");
        expect(await readAnswers(api, id), fault).toHaveLength(1);
      });
      await Promise.all(turns);
      expect(proxy.count(), fault).toBeGreaterThan(before + CHATS);
    }
    // The notice of the interruption comes when another turn works on the chat.
    proxy.set("late");
    const { id } = await api.createChat({ content: "slow 200 ms story" });
    await api.waitForStatus(id, ["running"]);
    await api.interrupt(id);
    await api.waitForStatus(id, ["waiting"]);
    await api.send(id, "slow 40 ms story");
    await api.waitForStatus(id, ["waiting"]);
    expect((await readAnswers(api, id)).at(-1)).toMatch(/The end\.$/);
  } finally {
    await remove();
  }
});
