import { v7 as newId } from "uuid";
import { expect, it } from "vitest";
import type { HistoryMessage, PartRow } from "@/server/db/chats/rows";
import { MAX_GROWTH, measureGrowth } from "@/test/cpu-time";
import { toolCall } from "@/test/tool-call";
import { buildPrompt } from "./build-prompt";

const message = (role: "user" | "assistant", part: PartRow): HistoryMessage => ({
  id: newId(),
  role,
  turnId: newId(),
  parts: [part],
  model: role === "assistant" ? "demo/demo" : null,
  seq: 1,
  usage: null,
  createdBy: null,
});
const question = message("user", { type: "text", text: "Go on." });
const answer = () =>
  message(
    "assistant",
    toolCall({ toolCallId: "call_0", kind: "builtin", state: "completed", output: "done" }),
  );

it("builds a prompt in a time that grows no faster than the number of calls with the same id", async () => {
  const buildSteps = (count: number) => {
    const history = [question, ...Array.from({ length: count }, answer), question];
    return buildPrompt({ system: [], history, model: "demo/demo" });
  };
  expect(await measureGrowth("a history", buildSteps, 500)).toBeLessThan(MAX_GROWTH);
});
