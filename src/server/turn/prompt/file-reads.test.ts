import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { expect, it } from "vitest";
import { createMessageFileDeps } from "@/server/app/message-file-deps";
import { createFile } from "@/server/chat/create-file";
import { sendMessage } from "@/server/chat/send-message";
import { calls } from "@/test/agent-turns";
import { createTestContext, toTextContent } from "@/test/chat-fixture";
import { createPdf } from "@/test/create-pdf";
import { testDatabase } from "@/test/database";
import { textStep } from "@/test/scripted-model";
import { emptyToolDeps } from "@/test/tool-fixture";
import { createTurnFixture } from "@/test/turn-fixture";
import type { MessageFileDeps } from "./message-files";

const slowDown = {
  throws: Object.assign(new Error("slow down"), { statusCode: 429, isRetryable: true }),
};

it("a turn reads the bytes of each file once per call, also if that is tried again, and else nothing", async () => {
  const db = await testDatabase();
  const ctx = await createTestContext(db);
  const raw = { width: 700, height: 500, channels: 3 } as const;
  const photo = await sharp(randomBytes(700 * 500 * 3), { raw })
    .png()
    .toBuffer();
  expect(photo.length).toBeGreaterThan(1_000_000);
  const image = await createFile(ctx, { name: "photo.png", bytes: photo });
  const pages = [`Sales rose ${ctx.newId()}`];
  const pdf = await createFile(ctx, { name: "report.pdf", bytes: createPdf({ pages }) });

  const files = createMessageFileDeps({ db, ...emptyToolDeps });
  const reads: string[] = [];
  const counted: MessageFileDeps = {
    ...files,
    readFile: (id, range) => {
      reads.push(`${id} ${range.end + 1 - range.start}`);
      return files.readFile(id, range);
    },
    readRendition: (id, kind) => {
      reads.push(`${id} ${kind}`);
      return files.readRendition(id, kind);
    },
  };
  const turn = await createTurnFixture({
    ctx,
    steps: [
      slowDown,
      calls({ id: "time", name: "current_time", args: {} }),
      textStep("Red."),
      textStep("Yes."),
    ],
    content: [
      { type: "file", file_id: image.id },
      { type: "file", file_id: pdf.id },
    ],
  });
  const run = () =>
    turn.run({
      files: counted,
      resolveModel: () =>
        Promise.resolve({
          provider: "anthropic",
          model: "scripted",
          label: "anthropic/scripted",
          contextLimit: null,
          prices: null,
          client: turn.model,
        }),
    });
  await run();
  expect(turn.model.requests).toHaveLength(3);
  const once = [`${image.id} image`, `${pdf.id} ${pdf.size}`];
  expect(reads).toEqual([...once, ...once]);

  reads.length = 0;
  await sendMessage(ctx, {
    chatId: turn.chatId,
    content: toTextContent("Are you sure?"),
    busyBehavior: "queue",
  });
  await run();
  expect(reads).toEqual(once);

  const plain = await createTurnFixture({ ctx, steps: [textStep("Hi.")] });
  reads.length = 0;
  await plain.run({ files: counted });
  expect(reads).toEqual([]);
});
