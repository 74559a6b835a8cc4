import { expect, it } from "vitest";
import type { RequiredAction } from "@/contract/chat";
import type { Message } from "@/contract/message";
import { toOpenCall } from "@/test/to-open-call";
import { describeAnswerer, describeClosedCall } from "./describe-answerer";

const AT = "2026-01-02T03:04:05.678Z";

const answered = (id: string, resolvedBy: string): Message => ({
  id,
  seq: 1,
  revision: 1,
  role: "assistant",
  created_at: AT,
  parts: [
    {
      type: "tool_call",
      tool_call_id: "call_0",
      tool_name: "ask",
      kind: "dynamic",
      args: {},
      state: "completed",
      is_error: false,
      resolved_by: resolvedBy,
      started_at: AT,
    },
  ],
});
const action: RequiredAction = {
  deadline_at: AT,
  message_id: "second",
  approvals: [],
  tool_calls: [toOpenCall({ tool_call_id: "call_0", tool_name: "ask", args: {} })],
};

it("names who answered the call of the action, not one of an earlier message with the same id", () => {
  const messages = [answered("first", "me"), answered("second", "api_key:1")];
  expect(describeAnswerer(action, messages, "me")).toBe("by a program with an API key");
});

it.each([
  [{ state: "denied", resolved_by: "api_key:1" }, "by a program with an API key"],
  [{ state: "running", resolved_by: "me" }, "elsewhere"],
  [{ state: "completed", resolved_by: "worker" }, "elsewhere"],
  [{ state: "awaiting_approval" }, undefined],
  [{ state: "cancelled", resolved_by: "me" }, undefined],
  [{ state: "timed_out", resolved_by: "worker" }, undefined],
] as const)("says that a call was approved or rejected: %o", (outcome, answerer) => {
  const { parts, ...message } = answered("second", "me");
  const [part] = parts;
  if (part?.type !== "tool_call") throw new Error("the call is missing");
  const approvals = [{ tool_call_id: "call_0", tool_name: "exec", args: {}, approval_scope: null }];
  const messages: Message[] = [
    { ...message, parts: [{ ...part, kind: "builtin", resolved_by: undefined, ...outcome }] },
  ];
  expect(describeAnswerer({ ...action, tool_calls: [], approvals }, messages, "me")).toBe(answerer);
});

it.each([
  [{ state: "completed", resolved_by: "api_key:1" }, "Answered by a program with an API key."],
  [{ state: "error", resolved_by: "me" }, "Answered by you, in another tab."],
  [{ state: "timed_out", resolved_by: "worker" }, "The time to answer was over."],
  [{ state: "cancelled", resolved_by: "me" }, "The call was cancelled."],
  [{ state: "awaiting_result" }, undefined],
] as const)("says why a call takes no answer: %o", (outcome, sentence) => {
  const [part] = answered("first", "me").parts;
  if (part?.type !== "tool_call") throw new Error("the call is missing");
  expect(describeClosedCall({ ...part, ...outcome }, "me")).toBe(sentence);
});
