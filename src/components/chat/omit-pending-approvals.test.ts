import { expect, it } from "vitest";
import type { RequiredAction } from "@/contract/chat";
import type { MessageView, PartView } from "@/contract/chat-view";
import { omitPendingApprovals } from "./omit-pending-approvals";

const call = (id: string, state: "awaiting_approval" | "completed"): PartView => ({
  type: "tool_call",
  tool_call_id: id,
  tool_name: "exec",
  kind: "builtin",
  args: { command: "ls" },
  state,
  is_error: false,
  started_at: "2026-03-12T12:00:00.000Z",
});
const text: PartView = { type: "text", text: "so" };

const answer = (seq: number, parts: PartView[]): MessageView => ({
  id: `m${seq}`,
  seq,
  revision: seq,
  role: "assistant",
  parts,
  created_at: "",
});

const waitFor = (messageId: string, ...ids: string[]): RequiredAction => ({
  deadline_at: "",
  message_id: messageId,
  tool_calls: [],
  approvals: ids.map((id) => ({
    tool_call_id: id,
    tool_name: "exec",
    args: { command: "ls" },
    approval_scope: null,
  })),
});

it("leaves out the calls that wait for an approval, as their form shows them", () => {
  const waiting = answer(2, [text, call("a", "awaiting_approval"), call("b", "completed")]);
  const shown = omitPendingApprovals([answer(1, [text]), waiting], waitFor("m2", "a"));
  expect(shown).toEqual([answer(1, [text]), answer(2, [text, call("b", "completed")])]);
});

it("leaves out a message that has nothing else", () => {
  const waiting = answer(2, [call("a", "awaiting_approval"), call("b", "awaiting_approval")]);
  const shown = omitPendingApprovals([answer(1, [text]), waiting], waitFor("m2", "a", "b"));
  expect(shown).toEqual([answer(1, [text])]);
});

it("leaves calls of other answers alone, also of the same id", () => {
  const messages = [answer(1, [call("a", "completed")]), answer(2, [text])];
  expect(omitPendingApprovals(messages, waitFor("m2", "a"))).toEqual(messages);
});

it("returns the same list while nothing waits for an approval", () => {
  const messages = [answer(1, [call("a", "completed")])];
  expect(omitPendingApprovals(messages, null)).toBe(messages);
  expect(omitPendingApprovals(messages, waitFor("m1"))).toBe(messages);
});
