import { describe, expect, it } from "vitest";
import type { ChatStatus } from "@/contract/chat";
import type { ChatError, ChatRetry } from "@/contract/chat-error";
import { chatActivity } from "./chat-activity";

const SINCE = "2026-03-12T12:00:00.000Z";
const retry: ChatRetry = {
  attempt: 2,
  delay_ms: 1_000,
  retrying_at: SINCE,
  kind: "overloaded",
  message: "The service is overloaded.",
};
const error: ChatError = { kind: "auth", message: "The key was refused.", retryable: false };
const action = { deadline_at: SINCE, tool_calls: [], approvals: [] };

const activity = (status: ChatStatus, more: Partial<Parameters<typeof chatActivity>[0]> = {}) =>
  chatActivity({
    connected: true,
    answering: false,
    runningTools: [],
    since: SINCE,
    ...more,
    chat: { status, retry: null, last_error: null, required_action: null, ...more.chat },
  }).kind;

const chat = (status: ChatStatus, more: object) => ({
  chat: { status, retry: null, last_error: null, required_action: null, ...more },
});

describe("chatActivity", () => {
  it.each<[string, ChatStatus, Parameters<typeof activity>[1], string]>([
    ["rests", "waiting", {}, "idle"],
    ["rests without a connection", "waiting", { connected: false }, "idle"],
    ["waits for a worker", "pending", {}, "thinking"],
    ["waits for the first token", "running", {}, "thinking"],
    ["writes", "running", { answering: true }, "answering"],
    ["runs tools", "running", { runningTools: ["read_file"] }, "tools"],
    ["writes while a tool runs", "running", { answering: true, runningTools: ["x"] }, "answering"],
    ["lost its connection at work", "running", { connected: false }, "reconnecting"],
    ["lost its connection while stopping", "interrupting", { connected: false }, "reconnecting"],
    ["stops", "interrupting", {}, "interrupting"],
    ["retries", "running", chat("running", { retry }), "retrying"],
    [
      "retries without a connection",
      "running",
      { ...chat("running", { retry }), connected: false },
      "retrying",
    ],
    ["failed", "error", chat("error", { last_error: error }), "error"],
    [
      "parked",
      "requires_action",
      chat("requires_action", { required_action: action }),
      "needs-you",
    ],
    ["works again after an error", "running", chat("running", { last_error: error }), "thinking"],
  ])("%s", (...[, status, more, kind]) => expect(activity(status, more)).toBe(kind));

  it("counts tool calls and approvals together", () => {
    const call = { tool_call_id: "a", tool_name: "ask", args: {} };
    const result = chatActivity({
      chat: {
        status: "requires_action",
        retry: null,
        last_error: null,
        required_action: { deadline_at: SINCE, tool_calls: [call], approvals: [call] },
      },
      connected: true,
      answering: false,
      runningTools: [],
      since: SINCE,
    });
    expect(result).toEqual({ kind: "needs-you", calls: 2, deadlineAt: SINCE });
  });
});
