import { beforeAll, expect, it } from "vitest";
import { testDatabase } from "@/test/database";
import { textStep, toolCallParts, finishPart, textParts } from "@/test/scripted-model";
import { createTurnFixture } from "@/test/turn-fixture";

beforeAll(() => testDatabase());

it("an answer with NUL and lone surrogates anywhere is committed and comes back", async () => {
  const turn = await createTurnFixture({
    steps: [
      [
        ...textParts("a\0b \ud800"),
        ...toolCallParts("call", "no\0tool", { "k\0": "v\0" }),
        finishPart("tool-calls"),
      ],
      textStep("fine"),
    ],
  });
  await turn.run();
  expect(await turn.chat()).toMatchObject({ status: "waiting" });
  expect((await turn.history())[1]?.parts).toMatchObject([
    { text: "a\0b \ufffd" },
    { toolCallId: "call", toolName: "no\0tool", args: { "k\0": "v\0" }, state: "error" },
  ]);
});
