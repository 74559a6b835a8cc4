import { expect, it } from "vitest";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { MAX_GROWTH, measureGrowth } from "@/test/cpu-time";
import { testDatabase } from "@/test/database";
import { commitAnswer, openCall } from "@/test/park-chat";
import { createChat } from "./create-chat";
import { submitToolResults } from "./submit-tool-results";

it("finds results by their ids in a time that grows no faster than their number", async () => {
  const ctx = await createTestContext(await testDatabase());
  const { id: chatId } = await createChat(ctx, {
    content: toTextContent("hello"),
    dynamicTools: [{ name: "ask" }],
  });
  await commitAnswer(ctx.db, chatId, { parts: [openCall("a", "ask")], after: "park" });
  const submit = async (count: number) => {
    const results = Array.from({ length: count }, (_, index) => ({
      toolCallId: `x${index}`,
      output: "yes",
      isError: false,
    }));
    await expect(submitToolResults(ctx, { chatId, results })).rejects.toMatchObject({
      code: "invalid",
    });
  };
  expect(await measureGrowth("a request", submit, 5_000)).toBeLessThan(MAX_GROWTH);
});
