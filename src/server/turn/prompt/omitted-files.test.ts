import sharp from "sharp";
import { expect, it } from "vitest";
import type { Content } from "@/contract/content";
import type { Artifact } from "@/contract/part";
import { createFile } from "@/server/chat/create-file";
import { interruptChat } from "@/server/chat/interrupt-chat";
import { sendMessage } from "@/server/chat/send-message";
import { createTestContext } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { pendingForever, textParts, textStep } from "@/test/scripted-model";
import { createTurnFixture } from "@/test/turn-fixture";

it("an answer tells which images its request had no room for, also one that was stopped", async () => {
  const ctx = await createTestContext(await testDatabase());
  const draw = (width: number) =>
    sharp({ create: { width, height: 2, channels: 3, background: "red" } })
      .png()
      .toBuffer();
  const upload = async (from: number, count: number): Promise<Artifact[]> => {
    const files: Artifact[] = [];
    for (let index = from; index < from + count; index += 1) {
      files.push(await createFile(ctx, { name: `${index}.png`, bytes: await draw(index + 1) }));
    }
    return files;
  };
  const toContent = (files: readonly Artifact[]): Content =>
    files.map(({ id }) => ({ type: "file", file_id: id }));
  const [first, second] = [await upload(0, 20), await upload(20, 10)];
  const turn = await createTurnFixture({
    ctx,
    steps: [textStep("Twenty."), textStep("Thirty."), [...textParts("Half"), pendingForever()]],
    content: toContent(first),
  });
  const { chatId } = turn;
  const readUsage = async () => (await turn.history()).at(-1)?.usage;
  const countImages = () =>
    turn.model.requests
      .at(-1)
      ?.prompt.flatMap(({ content }) =>
        typeof content === "string" ? [] : content.filter(({ type }) => type === "file"),
      ).length;

  await turn.run();
  expect(countImages()).toBe(20);
  expect(await readUsage()).not.toHaveProperty("omitted_files");

  await sendMessage(ctx, { chatId, content: toContent(second), busyBehavior: "queue" });
  await turn.run();
  expect(countImages()).toBe(13);
  const omitted_files = { images: 17, pdfs: 0, before: first[17]?.id };
  expect(await readUsage()).toMatchObject({ output_tokens: 5, omitted_files });

  const content: Content = [{ type: "text", text: "Go on." }];
  await sendMessage(ctx, { chatId, content, busyBehavior: "queue" });
  const running = turn.run();
  await expect
    .poll(() => turn.ops.some((op) => op.op === "text-append" && op.text === "Half"))
    .toBe(true);
  await interruptChat(ctx, { chatId });
  turn.stop("interrupted");
  await running;
  expect(await readUsage()).toMatchObject({ estimated: true, omitted_files });
});
