import { expect } from "@playwright/test";
import { createTestServer } from "./server";

/** The demo model writes a summary for about half a second. */
const SUMMARY_MS = 700;

/** Kills the server while it sums up a chat, and expects one whole summary after each of its starts. */
export const expectWholeSummaries = async (rounds: number): Promise<void> => {
  const server = await createTestServer();
  try {
    await server.start();
    for (let round = 0; round < rounds; round++) {
      const { id } = await server.api.createChat({ content: "write 30 words" });
      await server.api.waitForStatus(id, ["waiting"]);
      await server.api.request(`POST /chats/${id}/compact`, {});
      await new Promise((resolve) => setTimeout(resolve, (round * SUMMARY_MS) / rounds));
      await server.kill();
      await server.database.expireLeases();
      await server.start();
      const chat = await server.api.waitForStatus(id);
      expect(chat).toMatchObject({ status: "waiting", compaction: null, last_error: null });
      const { messages } = await server.api.history(id);
      expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "event"]);
      expect(messages[2]?.parts.map(({ type }) => type)).toEqual(["summary", "text"]);
      await server.api.send(id, "write 3 words");
      expect((await server.api.waitForStatus(id)).status).toBe("waiting");
      expect((await server.api.history(id)).messages).toHaveLength(5);
    }
  } finally {
    await server.remove();
  }
};
