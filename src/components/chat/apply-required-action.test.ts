import { expect, it } from "vitest";
import type { OpenCall } from "@/contract/call";
import type { RequiredAction } from "@/contract/chat";
import type { MessageView, PartView, ToolCallView } from "@/contract/chat-view";
import type { ToolCallState } from "@/contract/part";
import { applyRequiredAction } from "./apply-required-action";

const call = (id: string, state: ToolCallState): ToolCallView => ({
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

const openCall = (id: string, claim: OpenCall["claim"]): OpenCall => ({
  tool_call_id: id,
  tool_name: "exec",
  args: {},
  chat_id: "",
  root_chat_id: "",
  message_id: "m2",
  labels: {},
  opened_at: "",
  attempt: 1,
  claim,
});

it("leaves out the calls that wait for an approval, as their form shows them", () => {
  const waiting = answer(2, [text, call("a", "awaiting_approval"), call("b", "completed")]);
  const shown = applyRequiredAction([answer(1, [text]), waiting], waitFor("m2", "a"));
  expect(shown).toEqual([answer(1, [text]), answer(2, [text, call("b", "completed")])]);
});

it("leaves out a message that has nothing else", () => {
  const waiting = answer(2, [call("a", "awaiting_approval"), call("b", "awaiting_approval")]);
  const shown = applyRequiredAction([answer(1, [text]), waiting], waitFor("m2", "a", "b"));
  expect(shown).toEqual([answer(1, [text])]);
});

it("leaves calls of other answers alone, also of the same id", () => {
  const messages = [answer(1, [call("a", "completed")]), answer(2, [text])];
  expect(applyRequiredAction(messages, waitFor("m2", "a"))).toEqual(messages);
});

it("marks the calls that programs work on, and no other", () => {
  const claim = { holder: "bot", claimed_at: "", expires_at: "" };
  const action = {
    ...waitFor("m2"),
    tool_calls: [openCall("a", claim), openCall("b", null)],
  };
  const open = answer(2, [text, call("a", "awaiting_result"), call("b", "awaiting_result")]);
  expect(applyRequiredAction([answer(1, [call("a", "completed")]), open], action)).toEqual([
    answer(1, [call("a", "completed")]),
    answer(2, [
      text,
      { ...call("a", "awaiting_result"), is_claimed: true },
      call("b", "awaiting_result"),
    ]),
  ]);
});

it("returns the same list while no call waits for an approval or is claimed", () => {
  const messages = [answer(1, [call("a", "completed")])];
  expect(applyRequiredAction(messages, null)).toBe(messages);
  expect(applyRequiredAction(messages, waitFor("m1"))).toBe(messages);
});
