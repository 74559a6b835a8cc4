import { expect, test } from "@playwright/test";
import { expectWholeSummaries } from "./compaction-crashes";
import { expectNothingLost } from "./crash-rounds";
import { createTestServer } from "./server";

test("nothing is lost, doubled or stuck in a crash at a random time", async () => {
  await expectNothingLost(["kill"], 1);
});

test("a turn continues by itself after a crash", async () => {
  const server = await createTestServer();
  try {
    await server.start();
    const { id } = await server.api.createChat({ content: "slow 100ms write 30 words" });
    await server.api.waitForStatus(id, ["running"]);
    await server.kill();
    await server.database.expireLeases();
    await server.start();
    const chat = await server.api.waitForStatus(id);
    expect(chat.status).toBe("waiting");
    const { messages } = await server.api.history(id);
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
  } finally {
    await server.remove();
  }
});

test("a crash leaves no half of a summary", async () => {
  await expectWholeSummaries(1);
});
