import { expect, it } from "vitest";
import { createRecentChanges } from "@/server/db/chats/recent-changes";
import { createNotifications } from "@/server/stream/notifications";
import { createPreviewRelay } from "@/server/stream/preview-relay";
import { streamChatEvents } from "@/server/stream/stream-chat-events";
import { createBareChat } from "@/test/chat-editor";
import { createTestContext } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { measureKept } from "@/test/kept-memory";
import { textStep } from "@/test/scripted-model";
import { createTurnFixture } from "@/test/turn-fixture";

const MAX_KEPT_OF_STREAM = 2 * 1024;
/** Caches keep its chat and its history, and the fixture of each turn keeps a subscription. */
const MAX_KEPT_OF_TURN = 16 * 1024;

it("a stream keeps next to nothing when it is closed", async () => {
  const db = await testDatabase();
  const userId = await createUser(db);
  const { id: chatId } = await createBareChat(db, userId);
  const shared = { relay: createPreviewRelay(), recent: createRecentChanges() };
  const notifications = createNotifications(db, { pollMs: 3_600_000 });
  await notifications.ready();
  const kept = await measureKept(async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const options = { ...shared, db, chatId, viewer: { userId }, after: 0, signal, notifications };
    for await (const { type } of streamChatEvents(options)) {
      if (type === "caught-up") controller.abort();
    }
  });
  await notifications.close();
  expect(kept).toBeLessThan(MAX_KEPT_OF_STREAM);
});

it("a turn keeps next to nothing when it has ended", async () => {
  const ctx = await createTestContext(await testDatabase());
  const kept = await measureKept(async () => {
    const turn = await createTurnFixture({ ctx, steps: [textStep("hi")] });
    await turn.run();
  });
  expect(kept).toBeLessThan(MAX_KEPT_OF_TURN);
});
