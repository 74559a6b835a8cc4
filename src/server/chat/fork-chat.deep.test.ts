import { beforeAll, expect, it } from "vitest";
import { HistoryMessages } from "@/contract/history";
import type { ServerContext } from "@/server/context";
import { createTestContext } from "@/test/chat-fixture";
import { measureMedian, measureReferenceMs, readCpuMs } from "@/test/cpu-time";
import { testDatabase } from "@/test/database";
import { MAX_BLOCKING, measureBlocking } from "@/test/event-loop";
import { createChat } from "./create-chat";
import { deleteChat } from "./delete-chat";
import { forkChat } from "./fork-chat";

/** It takes ten times the reference, which takes 10 ms. */
const MAX_TIME = 20;

/** 1 KB of words that differ from message to message. */
const toText = (index: number): string =>
  Array.from({ length: 160 }, (_each, place) => (index * 7_919 + place * 104_729) % 99_991)
    .join(" ")
    .slice(0, 1_024);

let ctx: ServerContext;
let chatId: string;
beforeAll(async () => {
  ctx = await createTestContext(await testDatabase());
  const pairs = Array.from({ length: 1_000 }, (_each, index) => [
    { role: "user", content: toText(2 * index) },
    { role: "assistant", content: toText(2 * index + 1) },
  ]);
  const messages = HistoryMessages.parse(pairs.flat());
  ({ id: chatId } = await createChat(ctx, { messages }));
});

it("a fork of 2,000 messages of 1 KB takes about 100 ms", async () => {
  const referenceMs = await measureReferenceMs();
  const time = await measureMedian("a fork of 2,000 messages", async () => {
    // The embedded database runs in this thread.
    const before = process.threadCpuUsage();
    const fork = await forkChat(ctx, { chatId });
    const ms = readCpuMs(before);
    await deleteChat(ctx, { chatId: fork.id });
    return ms / referenceMs;
  });
  expect(time).toBeLessThan(MAX_TIME);
});

it("a fork of 2,000 messages does not hold up other requests", async () => {
  const blocking = await measureMedian("a fork, blocking", () =>
    measureBlocking(() => forkChat(ctx, { chatId })),
  );
  expect(blocking).toBeLessThan(MAX_BLOCKING);
});
