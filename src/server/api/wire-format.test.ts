import { describe, expect, it } from "vitest";
import { Chat, ChatSnapshot, ChatSummary } from "@/contract/chat";
import { Message } from "@/contract/message";
import type { ChatRow, MessageRow } from "@/server/db/chats/rows";
import { ownedBy } from "@/server/db/chats/viewer";
import { openCall } from "@/test/park-chat";
import { toWireChat, toWireMessage, toWireSnapshot, toWireSummary } from "./wire-format";

const AT = new Date("2026-01-02T03:04:05.678Z");
const ID = "0199c6f0-0000-7000-8000-000000000001";

const chat: ChatRow = {
  id: ID,
  status: "waiting",
  archivedAt: null,
  version: 3,
  historyVersion: 3,
  queueVersion: 0,
  attempt: 0,
  leaseOwner: null,
  sessionOwner: null,
  leaseToken: null,
  leaseExpiresAt: null,
  retry: null,
  notBefore: null,
  lastError: null,
  compaction: null,
  actionDeadlineAt: null,
  lastSeq: 2,
  alternativeCount: 0,
  queuedCount: 0,
  queuePaused: false,
  turnId: "00000000-0000-7000-8000-000000000009",
  turnSteps: 1,
  taskVersion: 0,
  reportCount: 0,
  wakesLeft: 10,
  wakeOnReports: true,
  ...ownedBy({ userId: "owner" }),
  parentChatId: null,
  agentType: null,
  agentQueued: false,
  rootChatId: ID,
  forkedFromId: null,
  forkedFromSeq: null,
  keptHours: null,
  externalId: null,
  importId: null,
  title: "Hello",
  titled: true,
  pinned: false,
  labels: { team: "red" },
  modelId: null,
  systemPrompt: null,
  parameters: { reasoning_effort: "high" },
  dynamicTools: [{ name: "deploy", description: "Deploys.", output_schema: { type: "object" } }],
  toolNames: ["write_file"],
  groupNames: ["review"],
  autoSubmitSuccess: true,
  autoSubmitError: false,
  warnings: [],
  actionTimeoutSeconds: 60,
  maxSteps: 5,
  usage: {},
  contextTokens: 12,
  createdAt: AT,
  updatedAt: AT,
};
const idle = { openCalls: [], childActions: [], limitTokens: 1_000, lastAnswer: null };

const message: MessageRow = {
  id: ID,
  chatId: ID,
  seq: 2,
  revision: 3,
  role: "assistant",
  turnId: ID,
  parts: [],
  model: null,
  usage: null,
  finishReason: null,
  interrupted: false,
  createdBy: null,
  responseId: "resp_1",
  deleted: false,
  parameters: null,
  responseFormat: null,
  formatCheck: null,
  createdAt: AT,
};

describe("toWireChat", () => {
  it("conforms to the contract", () => {
    const wire = toWireChat(chat, idle);
    expect(Chat.parse(wire)).toEqual(wire);
    expect(wire).toMatchObject({
      created_at: "2026-01-02T03:04:05.678Z",
      context: { used_tokens: 12, limit_tokens: 1_000 },
      required_action: null,
    });
    expect(JSON.stringify(wire)).not.toContain("owner");
  });

  it("sums usage by kind", () => {
    const turn = { input_tokens: 10, output_tokens: 2, cost_micros: 5 };
    const title = { input_tokens: 1, output_tokens: 1, cost_micros: 0 };
    expect(toWireChat({ ...chat, usage: { turn, title } }, idle).usage).toEqual({
      input_tokens: 11,
      output_tokens: 3,
      cost_micros: 5,
      by_kind: { turn, title },
    });
  });

  it("lists the open calls of a parked chat with their tools' declarations", () => {
    const parked: ChatRow = { ...chat, status: "requires_action", actionDeadlineAt: AT };
    const openCalls = [
      openCall("a", "deploy", { args: { where: "here" } }),
      openCall("b", "forgotten"),
      openCall("c", "write_file", {
        state: "awaiting_approval",
        approvalScope: { path: "a" },
      }),
      openCall("d", "read_file", { state: "running" }),
    ].map((call) => ({ ...call, messageId: ID, claim: null, labels: {} }));
    const wire = toWireSnapshot(parked, [], { openCalls, childActions: [], limitTokens: null });
    expect(ChatSnapshot.parse(wire)).toEqual(wire);
    const ofChat = {
      chat_id: parked.id,
      root_chat_id: parked.rootChatId,
      message_id: ID,
      labels: {},
      opened_at: new Date(0).toISOString(),
      attempt: 1,
      claim: null,
    };
    expect(wire.required_action).toEqual({
      deadline_at: AT.toISOString(),
      message_id: ID,
      tool_calls: [
        {
          tool_call_id: "a",
          tool_name: "deploy",
          args: { where: "here" },
          description: "Deploys.",
          output_schema: { type: "object" },
          ...ofChat,
        },
        { tool_call_id: "b", tool_name: "forgotten", args: {}, ...ofChat },
      ],
      approvals: [
        { tool_call_id: "c", tool_name: "write_file", args: {}, approval_scope: { path: "a" } },
      ],
    });
  });
});

describe("toWireSummary", () => {
  it("has the deadline of a parked chat", () => {
    const parked: ChatRow = { ...chat, status: "requires_action", actionDeadlineAt: AT };
    expect(
      ChatSummary.parse(toWireSummary({ ...parked, isUnread: false, needsYou: true })),
    ).toHaveProperty("action_deadline_at", AT.toISOString());
    expect(toWireSummary({ ...chat, isUnread: true, needsYou: false })).toMatchObject({
      action_deadline_at: null,
      unread: true,
    });
  });
});

describe("toWireMessage", () => {
  it("omits provider metadata", () => {
    const providerMetadata = { openai: { itemId: "hidden" } };
    const wire = toWireMessage({
      ...message,
      parts: [
        { type: "text", text: "a", providerMetadata },
        { type: "reasoning", text: "b", startedAt: AT, completedAt: null, providerMetadata },
        { type: "source", data: { url: "https://example.org", title: "t" } },
        { ...openCall("c", "deploy"), providerMetadata },
      ],
    });
    expect(Message.parse(wire)).toEqual(wire);
    expect(JSON.stringify(wire)).not.toMatch(/hidden|resp_1|providerMetadata/);
  });

  it.each([[null], [false], [0], [""]])("includes the output %j", (output) => {
    const call = { ...openCall("a", "deploy"), state: "completed" as const, output };
    const [part] = toWireMessage({ ...message, parts: [call] }).parts;
    expect(part).toHaveProperty("output", output);
  });

  it("omits what only the provider can read of a result", () => {
    const found = { url: "https://example.org", title: "t" };
    const output = [{ ...found, encryptedContent: "sealed" }];
    const call = { ...openCall("a", "web_search"), kind: "provider" as const, output };
    const [part] = toWireMessage({ ...message, parts: [call] }).parts;
    expect(part).toMatchObject({ output: [found] });
    expect(JSON.stringify(part)).not.toContain("sealed");
  });

  it("omits the output of an open call", () => {
    const [part] = toWireMessage({ ...message, parts: [openCall("a", "deploy")] }).parts;
    expect(part).not.toHaveProperty("output");
  });
});
