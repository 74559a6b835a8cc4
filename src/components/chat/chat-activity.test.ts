import type { OpenCall } from "@/contract/call";
import { describe, expect, it } from "vitest";
import type { ChatStatus } from "@/contract/chat";
import type { ChatError, ChatRetry } from "@/contract/chat-error";
import { toOpenCall } from "@/test/to-open-call";
import { toChatActivity } from "./chat-activity";

const SINCE = "2026-03-12T12:00:00.000Z";
const retry: ChatRetry = {
  attempt: 2,
  delay_ms: 1_000,
  retrying_at: SINCE,
  kind: "overloaded",
  message: "The service is overloaded.",
};
const error: ChatError = { kind: "auth", message: "The key was refused.", retryable: false };
const MESSAGE_ID = "00000000-0000-7000-8000-000000000001";
const action = {
  deadline_at: SINCE,
  message_id: MESSAGE_ID,
  tool_calls: [toOpenCall({ tool_call_id: "a", tool_name: "ask", args: {} })],
  approvals: [],
};

const activity = (
  status: ChatStatus,
  overrides: Partial<Parameters<typeof toChatActivity>[0]> = {},
) =>
  toChatActivity({
    isConnected: true,
    isAnswering: false,
    runningTools: [],
    since: SINCE,
    ...overrides,
    chat: {
      status,
      retry: null,
      last_error: null,
      compaction: null,
      required_action: null,
      waiting_reports: 0,
      ...overrides.chat,
    },
  }).kind;

const chat = (status: ChatStatus, overrides: object) => ({
  chat: {
    status,
    retry: null,
    last_error: null,
    compaction: null,
    required_action: null,
    waiting_reports: 0,
    ...overrides,
  },
});

describe("toChatActivity", () => {
  it.each<[string, ChatStatus, Parameters<typeof activity>[1], string]>([
    ["is idle at rest", "waiting", {}, "idle"],
    [
      "shows reports that wait at rest",
      "waiting",
      chat("waiting", { waiting_reports: 2 }),
      "reports",
    ],
    ["is idle at rest without a connection", "waiting", { isConnected: false }, "idle"],
    ["is thinking while it waits for a worker", "pending", {}, "thinking"],
    ["is thinking before the first token", "running", {}, "thinking"],
    ["is answering", "running", { isAnswering: true }, "answering"],
    ["runs tools", "running", { runningTools: ["read_file"] }, "tools"],
    [
      "is answering while a tool runs",
      "running",
      { isAnswering: true, runningTools: ["x"] },
      "answering",
    ],
    ["reconnects while running", "running", { isConnected: false }, "reconnecting"],
    ["reconnects while interrupting", "interrupting", { isConnected: false }, "reconnecting"],
    ["is interrupting", "interrupting", {}, "interrupting"],
    ["is retrying", "running", chat("running", { retry }), "retrying"],
    [
      "is retrying without a connection",
      "running",
      { ...chat("running", { retry }), isConnected: false },
      "retrying",
    ],
    ["shows the error", "error", chat("error", { last_error: error }), "error"],
    [
      "requires action",
      "requires_action",
      chat("requires_action", { required_action: action }),
      "requires-action",
    ],
    [
      "is thinking again after an error",
      "running",
      chat("running", { last_error: error }),
      "thinking",
    ],
  ])("%s", (...[, status, overrides, kind]) => expect(activity(status, overrides)).toBe(kind));

  it("counts tool calls and approvals together", () => {
    const call = { tool_call_id: "a", tool_name: "ask", args: {} };
    const result = toChatActivity({
      chat: {
        status: "requires_action",
        retry: null,
        last_error: null,
        compaction: null,
        waiting_reports: 0,
        required_action: {
          deadline_at: SINCE,
          message_id: MESSAGE_ID,
          tool_calls: [toOpenCall(call)],
          approvals: [{ ...call, approval_scope: null }],
        },
      },
      isConnected: true,
      isAnswering: false,
      runningTools: [],
      since: SINCE,
    });
    expect(result).toEqual({ kind: "requires-action", calls: 2 });
  });

  it("does not count calls that programs work on, and needs nobody when these are all", () => {
    const open = toOpenCall({ tool_call_id: "a", tool_name: "ask", args: {} });
    const claim = { holder: "runner", claimed_at: SINCE, expires_at: SINCE };
    const toActivity = (tool_calls: OpenCall[]) =>
      toChatActivity({
        chat: {
          status: "requires_action",
          retry: null,
          last_error: null,
          compaction: null,
          waiting_reports: 0,
          required_action: {
            deadline_at: SINCE,
            message_id: MESSAGE_ID,
            tool_calls,
            approvals: [],
          },
        },
        isConnected: true,
        isAnswering: false,
        runningTools: [],
        since: SINCE,
      });
    const claimed = { ...open, claim };
    expect(toActivity([open, claimed])).toEqual({ kind: "requires-action", calls: 1 });
    expect(toActivity([claimed, claimed])).toEqual({ kind: "idle" });
  });
});
