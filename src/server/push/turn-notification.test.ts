import { describe, expect, it } from "vitest";
import type { TurnEnd } from "@/server/db/push/turn-end-reads";
import { classifyTurnEnd, isWanted } from "./turn-notification";

const LAST = {
  turnId: "turn",
  revision: 3,
  role: "assistant",
  interrupted: false,
  texts: [],
  waitingTools: [],
  isForPrograms: false,
} as const satisfies TurnEnd["last"];
const DONE: TurnEnd = {
  viewer: { userId: "user" },
  isAgent: false,
  rootChatId: "chat",
  title: "Title",
  status: "waiting",
  isArchived: false,
  turnId: "turn",
  isOfProgram: false,
  last: { ...LAST, texts: [], waitingTools: [] },
};
const withLast = (changes: object): Partial<TurnEnd> => ({
  last: { ...LAST, texts: [], waitingTools: [], ...changes },
});

describe("the end of a turn", () => {
  it.each<[string, Partial<TurnEnd>, string | undefined]>([
    ["an answer", {}, "done"],
    ["an answer of an agent", { isAgent: true }, undefined],
    ["a call that a program works on", { status: "requires_action" }, undefined],
    ["a failure", { status: "error" }, "failed"],
    ["a failure before any answer", { status: "error", ...withLast({ role: "user" }) }, "failed"],
    ["a failure of an agent", { status: "error", isAgent: true }, undefined],
    ["an answer that was stopped", withLast({ interrupted: true }), undefined],
    ["a turn that was stopped before its answer", withLast({ role: "user" }), undefined],
    ["a turn that another one follows", { status: "pending" }, undefined],
    ["a wait for agents", { status: "awaiting_agents" }, undefined],
    ["a chat that was archived meanwhile", { isArchived: true }, undefined],
    ["a turn without a message", withLast({ turnId: "another" }), undefined],
    ["a chat without messages", { last: undefined }, undefined],
  ])("with %s", (_name, changes, kind) => {
    expect(classifyTurnEnd({ ...DONE, ...changes }, false)).toBe(kind);
  });

  it.each<[string, Partial<TurnEnd>]>([
    ["a call that a client answers", { status: "requires_action" }],
    ["such a call of an agent", { status: "requires_action", isAgent: true }],
  ])("with %s, if it needs the person", (_name, changes) => {
    expect(classifyTurnEnd({ ...DONE, ...changes }, true)).toBe("needs_you");
  });

  it("with a question to the person", () => {
    expect(classifyTurnEnd(DONE, true)).toBe("needs_you");
    expect(classifyTurnEnd({ ...DONE, isArchived: true }, true)).toBeUndefined();
  });

  it("with a failure is wanted as with an answer", () => {
    expect(isWanted({ needsYou: "off", done: "all" }, "failed", DONE)).toBe(true);
    expect(isWanted({ needsYou: "all", done: "off" }, "failed", DONE)).toBe(false);
  });
});
