import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createNoticeSender } from "./notice-sender";
import { createPeers } from "./peers";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Listener = (payload: string) => void;

/** A server that passes notifications on, and processes that use it. */
const createServer = () => {
  const listeners = new Map<string, Listener>();
  const lost = new Set<string>();
  const peers: ReturnType<typeof createPeers>[] = [];
  return {
    /** Processes whose notifications are lost. */
    lost,
    /** What a process receives when its connection was lost. */
    interrupt: (id: string) => listeners.get(id)?.(""),
    start: async (id: string) => {
      const joined = vi.fn();
      const own = createPeers({
        id,
        listen: (_channel, listener) => {
          listeners.set(id, listener);
          return Promise.resolve(() => Promise.resolve());
        },
        notify: async (_channel, payload) => {
          await Promise.resolve();
          if (lost.has(id)) return false;
          listeners.forEach((listener) => listener(payload));
          return true;
        },
        onJoin: joined,
      });
      peers.push(own);
      await own.start();
      return { ...own, joined };
    },
    close: () => Promise.all(peers.map((each) => each.close())),
  };
};

const SECOND = 1_000;

it("a process is alone when nobody has answered, and is not when another one starts", async () => {
  const server = createServer();
  const one = await server.start("one");
  expect(one.isAlone()).toBe(false);
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect(one.isAlone()).toBe(true);

  const two = await server.start("two");
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect([one.isAlone(), two.isAlone()]).toEqual([false, false]);
  expect(one.joined).toHaveBeenCalledOnce();
  expect(two.joined).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(60 * SECOND);
  expect([one.isAlone(), two.isAlone()]).toEqual([false, false]);

  await two.close();
  expect(one.isAlone()).toBe(true);
  await server.close();
});

it("a process that ends without a word is forgotten after 30 seconds, and known again when it is back", async () => {
  const server = createServer();
  const one = await server.start("one");
  const two = await server.start("two");
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  server.lost.add("two");
  await vi.advanceTimersByTimeAsync(24 * SECOND);
  expect(one.isAlone()).toBe(false);
  await vi.advanceTimersByTimeAsync(20 * SECOND);
  expect(one.isAlone()).toBe(true);
  server.lost.add("one");
  await vi.advanceTimersByTimeAsync(60 * SECOND);
  expect([one.isAlone(), two.isAlone()]).toEqual([true, true]);
  server.lost.clear();
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  expect([one.isAlone(), two.isAlone()]).toEqual([false, false]);
  expect(one.joined).toHaveBeenCalledTimes(2);
  await server.close();
});

it("a process that cannot ask takes itself for one of several, and asks again", async () => {
  const server = createServer();
  server.lost.add("one");
  const one = await server.start("one");
  await vi.advanceTimersByTimeAsync(9 * SECOND);
  expect(one.isAlone()).toBe(false);
  server.lost.delete("one");
  await vi.advanceTimersByTimeAsync(3 * SECOND);
  expect(one.isAlone()).toBe(true);
  server.lost.add("one");
  server.interrupt("one");
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  expect(one.isAlone()).toBe(false);
  await server.close();
});

it("what a process has not sent, as it was alone, is sent to one that starts within a second", async () => {
  const sent: string[] = [];
  let isAlone = true;
  const sender = createNoticeSender({
    id: "id",
    isAlone: () => isAlone,
    notify: (_channel, payload) => Promise.resolve(sent.push(...payload.split("\n").slice(1)) > 0),
  });
  sender.send(["old"]);
  await vi.advanceTimersByTimeAsync(1_500);
  sender.send(["first"]);
  await vi.advanceTimersByTimeAsync(500);
  sender.send(["second"]);
  await vi.advanceTimersByTimeAsync(100);
  expect(sent).toEqual([]);
  isAlone = false;
  sender.sendKept();
  await vi.advanceTimersByTimeAsync(10);
  expect(sent).toEqual(["first", "second"]);
  sender.send(["third"]);
  await sender.close();
  expect(sent).toEqual(["first", "second", "third"]);
});
