import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { expect, it, vi } from "vitest";
import type { Operation } from "@/server/api/operation";
import { operations } from "@/server/api/operations/all-operations";
import type { AppRouter } from "@/server/api/router";
import { createRepeatLink, toKeyHeader, UNREPEATABLE } from "./repeat-link";
import { countWaitingCommands } from "./waiting-commands";

const CHAT = "01a21bef-e3fe-74bc-902f-15779ae45b75";
const RENAME = { chat_id: CHAT, title: "Renamed" };

const LOST = new TypeError("Failed to fetch");
const accept = () => Response.json([{ result: { data: {} } }]);
const refuse = (code: string) =>
  Response.json(
    [
      {
        error: {
          message: "no",
          code: -32_600,
          data: { problem: { title: "No", detail: "no", code, request_id: "r", status: 400 } },
        },
      },
    ],
    { status: 400 },
  );

/** A client whose requests have these outcomes, one after another. */
const start = (outcomes: (Response | Error)[]) => {
  const keys: (string | null)[] = [];
  const waits: PromiseWithResolvers<void>[] = [];
  const client = createTRPCClient<AppRouter>({
    links: [
      createRepeatLink({
        wait: (signal) => {
          const wait = Promise.withResolvers<void>();
          waits.push(wait);
          signal.addEventListener("abort", () => wait.resolve());
          return wait.promise;
        },
      }),
      httpBatchLink({
        url: "http://parley.test/api/trpc",
        headers: ({ opList }) => toKeyHeader(opList),
        fetch: (_url, init) => {
          keys.push(new Headers(init?.headers).get("idempotency-key"));
          const outcome = outcomes.shift();
          if (!outcome) throw new Error("an unexpected request");
          return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
        },
      }),
    ],
  });
  return { client, keys, waits };
};

it("sends a command under one key until the server has answered", async () => {
  const { client, keys, waits } = start([LOST, refuse("unavailable"), accept()]);
  const onUnreachable = vi.fn();
  const renamed = client.chats.update.mutate(RENAME, { context: { onUnreachable } });
  await vi.waitFor(() => expect(waits).toHaveLength(1));
  expect(countWaitingCommands()).toBe(1);
  waits[0]?.resolve();
  await vi.waitFor(() => expect(waits).toHaveLength(2));
  expect(countWaitingCommands()).toBe(1);
  waits[1]?.resolve();
  await renamed;
  expect(countWaitingCommands()).toBe(0);
  expect(onUnreachable).toHaveBeenCalledTimes(2);
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
  expect(keys).toEqual([keys[0], keys[0], keys[0]]);
});

it("gives each command a key of its own, also in one request", async () => {
  const { client, keys } = start([
    Response.json([{ result: { data: {} } }, { result: { data: {} } }, { result: { data: {} } }]),
  ]);
  await Promise.all([
    client.chats.update.mutate(RENAME),
    client.models.test.mutate({} as never),
    client.chats.update.mutate(RENAME),
  ]);
  const [first, none, last] = keys[0]?.split(",") ?? [];
  expect(none).toBe("");
  expect(first).toMatch(/./);
  expect(last).toMatch(/./);
  expect(first).not.toBe(last);
});

it.each(["conflict", "internal", "invalid"])(
  "does not repeat what was answered: %s",
  async (code) => {
    const { client, keys } = start([refuse(code)]);
    await expect(client.chats.update.mutate(RENAME)).rejects.toThrow();
    expect(keys).toHaveLength(1);
  },
);

it("does not repeat a command whose response is not stored", async () => {
  const { client } = start([LOST]);
  await expect(client.models.test.mutate({} as never)).rejects.toThrow("Failed to fetch");
  expect(countWaitingCommands()).toBe(0);
});

it("gives a command up when its caller does", async () => {
  const { client, waits } = start([LOST]);
  const abort = new AbortController();
  const renamed = client.chats.update.mutate(RENAME, { signal: abort.signal });
  await vi.waitFor(() => expect(waits).toHaveLength(1));
  abort.abort();
  await expect(renamed).rejects.toThrow();
  expect(countWaitingCommands()).toBe(0);
});

it("stops no turn long after the person has pressed Stop", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { client, waits } = start([LOST]);
  const stopped = client.chats.interrupt.mutate({ chat_id: CHAT });
  await vi.waitFor(() => expect(waits).toHaveLength(1));
  vi.setSystemTime(Date.now() + 60_000);
  waits[0]?.resolve();
  await expect(stopped).rejects.toThrow();
  vi.useRealTimers();
});

/** Commands that only programs send. The list of the page has no room for them. */
const OF_PROGRAMS = [
  "tokens.create",
  "toolCalls.claim",
  "toolCalls.claimSome",
  "toolCalls.heartbeat",
];

it("knows the commands for which the server takes no key", () => {
  const unkeyed = (operations as readonly Operation[]).filter(
    ({ ignoresIdempotencyKey }) => ignoresIdempotencyKey,
  );
  expect([...UNREPEATABLE, ...OF_PROGRAMS].toSorted()).toEqual(
    unkeyed.map(({ name }) => name).toSorted(),
  );
});
