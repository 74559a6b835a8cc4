import { v7 as newId } from "uuid";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { ToolCallState } from "@/contract/part";
import type { Database, Transaction } from "@/server/db/connection/database";
import { holdSessions, releaseSessions } from "@/server/db/tasks/session-holds";
import { textPart, writeMessage } from "@/test/chat-rows";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { chatWith } from "@/test/machine-row";
import { toolCall } from "@/test/tool-call";
import { chooseBranch, limitBranches, replaceAnswer, replaceMessagesFrom } from "./branch-writes";
import { approveCalls, resumeCall, saveOutcomes, settleEndedCalls } from "./call-writes";
import { deleteFamily, saveMetadata, saveReadMark, setGeneratedTitle } from "./chat-lifecycle";
import { releaseChat } from "./claim";
import { endTransition } from "./locked-transition";
import { deleteMessage, deleteMessagesFrom } from "./message-writes";
import {
  clearQueue,
  enqueueMessage,
  moveToQueueHead,
  takeQueuedMessage,
  takeQueueHead,
} from "./queue-writes";
import { commitSummary, noteFailedSummary } from "./summary-commits";
import { commitStep, restChat, settleCalls, startApprovedCalls } from "./turn-commits";

type Twin = { chatId: string; messageId: string; queued: string[] };

const TURN = newId();
const NEW_TURN = newId();
const FORMER_TURN = newId();
const LEASE = newId();

let db: Database;
let userId: string;
let own: Twin;
let other: Twin;
beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  userId = await createUser(db);
});

/** A chat that has what the other chat has: lease, turn, calls and queue, so that only its id differs. */
const writeTwin = async (
  status: "waiting" | "running" | "interrupting",
  state: ToolCallState,
): Promise<Twin> => {
  // A chat that rests with messages in its queue has it paused.
  const paused = status === "waiting";
  const chatId = await chatWith(db, userId, { status, archived: false, queued: 2, paused });
  await db.prisma.message.deleteMany({ where: { chatId } });
  const calls = [
    toolCall({ toolCallId: "asked", state, approved: true }),
    toolCall({ toolCallId: "not asked", state, approved: true }),
    toolCall({ toolCallId: "done", state: "completed", output: 1, approved: true }),
    toolCall({ toolCallId: "not approved", state }),
  ];
  const write = (seq: number, role: "user" | "assistant", deleted = false) => {
    const parts = role === "user" ? [textPart("words")] : calls;
    return writeMessage(db, chatId, { seq, role, deleted, parts });
  };
  // The last message is written first, so that the order of rows is not that of messages.
  await write(6, "user");
  await write(5, "assistant", true);
  const messageId = await write(4, "assistant");
  await write(3, "user");
  await write(2, "assistant");
  await db.prisma.message.updateMany({ where: { chatId }, data: { turnId: TURN } });
  await db.prisma.message.updateMany({ where: { chatId, seq: 2 }, data: { turnId: FORMER_TURN } });
  await db.prisma.message.updateMany({
    where: { chatId, seq: 5 },
    data: { branch: 5, splitSeq: 3 },
  });
  await db.prisma.chat.update({
    where: { id: chatId },
    data: { leaseToken: LEASE, turnId: TURN, lastSeq: 6 },
  });
  const queued = [newId(), newId()];
  for (const [index, id] of queued.entries()) {
    const content = [{ type: "text" as const, text: `queued ${index}` }];
    await enqueueMessage(db, {
      id,
      chatId,
      content,
      modelId: null,
      createdBy: userId,
      steers: false,
    });
  }
  return { chatId, messageId, queued };
};

/** Every row of a chat as text, by a name that is the same in both chats. */
const readRows = async ({ chatId }: Twin): Promise<Map<string, string>> => {
  const rows = await db.query<{ name: string; row: string }>(
    {
      name: "test-rows-of-chat",
      text: `SELECT 'chat' AS name, row_to_json(chat)::text AS row FROM chat WHERE id = $1::uuid
        UNION ALL SELECT 'message ' || seq, row_to_json(message)::text FROM message WHERE chat_id = $1::uuid
        UNION ALL SELECT 'part ' || seq || ' ' || coalesce(tool_call_id, index::text), row_to_json(part)::text
          FROM part JOIN message ON message.id = message_id WHERE chat_id = $1::uuid
        UNION ALL SELECT content -> 0 ->> 'text', row_to_json(queued_message)::text
          FROM queued_message WHERE chat_id = $1::uuid
        UNION ALL SELECT 'read mark', row_to_json(read_mark)::text FROM read_mark WHERE chat_id = $1::uuid`,
    },
    [chatId],
  );
  return new Map(rows.map(({ name, row }) => [name, row]));
};

const readVersion = (rows: Map<string, string>): string | undefined =>
  /"version":\d+/.exec(rows.get("chat") ?? "")?.[0];

const listChanges = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .toSorted();

const change = (twin: Twin) => ({ chatId: twin.chatId, revision: 10 });
const fence = ({ chatId }: Twin) => ({ chatId, leaseToken: LEASE, historyVersion: 5 });
const completed = (...toolCallIds: string[]) =>
  toolCallIds.map((toolCallId) => toolCall({ toolCallId, state: "completed", output: "new" }));
const newStep = () => ({
  messageId: newId(),
  usageId: newId(),
  model: "demo/demo",
  parts: [],
  usage: { input_tokens: 7, output_tokens: 5 },
  costMicros: 3,
  finishReason: "stop" as const,
  responseId: null,
});
const newSummary = () => ({
  messageId: newId(),
  model: "demo/demo",
  parts: [],
  uses: [],
  contextTokens: 12,
});
const generatedTitle = ({ chatId }: Twin) => {
  const { usageId, model, usage, costMicros } = newStep();
  return { chatId, title: "Generated", usageId, model, usage, costMicros };
};
const CONTINUE = { type: "continue" } as const;
const LOCKED = {
  historyChanged: false,
  queueChanged: false,
  queueGrowth: 0,
  newMessages: 0,
  reportGrowth: 0,
  newTurnId: null,
  lastError: null,
  modelId: null,
  choice: undefined,
};

type Case = {
  name: string;
  /** Of the calls. */
  state?: ToolCallState;
  status?: "waiting" | "running" | "interrupting";
  run: (tx: Transaction, own: Twin, other: Twin) => Promise<unknown>;
  /** The rows that it changes; "all" are those of a deleted chat. */
  changes: string[] | "all";
};

const start = (twin: Twin, changes: Partial<ReturnType<typeof fence>> = {}) =>
  startApprovedCalls(
    db,
    { ...fence(twin), ...changes },
    { messageId: twin.messageId, toolCallIds: ["asked", "done", "not approved"] },
  );
const approve = (tx: Transaction, twin: Twin) =>
  approveCalls(tx, {
    ...change(twin),
    resolvedBy: "a user",
    calls: ["asked", "done"].map((toolCallId) => ({
      toolCallId,
      approvedArgs: null,
      approvalScope: null,
    })),
  });

const CASES: Case[] = [
  {
    name: "outcomes of open calls",
    run: (tx, twin) =>
      saveOutcomes(tx, { ...change(twin), outcomes: completed("asked", "done", "unknown") }),
    changes: ["message 4", "part 4 asked"],
  },
  {
    name: "outcomes of calls that ran",
    run: (tx, { messageId }) =>
      settleEndedCalls(tx, { messageId, revision: 10, calls: completed("asked", "done") }),
    changes: ["message 4", "part 4 asked"],
  },
  {
    name: "approved calls",
    state: "awaiting_approval",
    run: approve,
    changes: ["message 4", "part 4 asked"],
  },
  { name: "approved calls that run already", run: approve, changes: [] },
  {
    name: "a resumed call",
    state: "awaiting_result",
    run: (tx, twin) => resumeCall(tx, { ...change(twin), toolCallId: "asked" }),
    changes: ["message 4", "part 4 asked"],
  },
  {
    name: "deleted messages",
    run: (tx, twin) => deleteMessagesFrom(tx, { ...change(twin), seq: 4 }),
    changes: ["message 4", "message 6"],
  },
  {
    name: "a deleted message",
    run: (tx, twin) => deleteMessage(tx, { ...change(twin), seq: 4 }),
    changes: ["message 4"],
  },
  {
    name: "a replaced answer",
    run: (tx, twin) => replaceAnswer(tx, { ...change(twin), turnId: TURN, newTurnId: NEW_TURN }),
    changes: ["message 3", "message 4", "message 6"],
  },
  {
    name: "replaced messages",
    run: (tx, twin) => replaceMessagesFrom(tx, { ...change(twin), seq: 4 }),
    changes: ["message 4", "message 6"],
  },
  {
    name: "a chosen branch",
    run: (tx, twin) => chooseBranch(tx, { ...change(twin), branch: 5, splitSeq: 3 }),
    changes: ["message 3", "message 4", "message 5", "message 6"],
  },
  {
    name: "branches within the limit",
    run: (tx, { chatId }) => limitBranches(tx, chatId),
    changes: [],
  },
  {
    name: "the queue's head",
    run: (tx, { chatId }) => takeQueueHead(tx, chatId),
    changes: ["queued 0"],
  },
  {
    name: "a queued message",
    run: (tx, { chatId, queued }) => takeQueuedMessage(tx, chatId, queued[1] ?? ""),
    changes: ["queued 1"],
  },
  {
    name: "a queued message of the other chat",
    run: (tx, { chatId }, { queued }) => takeQueuedMessage(tx, chatId, queued[1] ?? ""),
    changes: [],
  },
  {
    name: "a queued message that becomes the next",
    run: (tx, { chatId, queued }) => moveToQueueHead(tx, chatId, queued[1] ?? ""),
    changes: ["queued 1"],
  },
  {
    name: "a queued message of the other chat that would become the next",
    run: (tx, { chatId }, { queued }) => moveToQueueHead(tx, chatId, queued[1] ?? ""),
    changes: [],
  },
  {
    name: "the whole queue",
    run: (tx, { chatId }) => clearQueue(tx, chatId),
    changes: ["queued 0", "queued 1"],
  },
  {
    name: "metadata",
    run: (tx, { chatId }) => saveMetadata(tx, chatId, { pinned: true }),
    changes: ["chat"],
  },
  {
    name: "a generated title",
    run: (tx, twin) => setGeneratedTitle(tx, generatedTitle(twin)),
    changes: ["chat"],
  },
  {
    name: "a read mark",
    run: (tx, { chatId }) => saveReadMark(tx, { chatId, viewer: { userId }, version: 9 }),
    changes: ["read mark"],
  },
  {
    name: "a read mark of a version that the chat does not have",
    run: (tx, { chatId }) => saveReadMark(tx, { chatId, viewer: { userId }, version: 10 }),
    changes: [],
  },
  {
    name: "a read mark of a person who may not read the chat",
    run: (tx, { chatId }) =>
      saveReadMark(tx, { chatId, viewer: { userId: "somebody" }, version: 9 }),
    changes: [],
  },
  {
    name: "an exec session",
    run: (tx, { chatId }) => holdSessions(tx, { owner: "holder", chatId }),
    changes: ["chat"],
  },
  {
    name: "a released exec session",
    run: (tx, { chatId }) => releaseSessions(tx, { owner: "gone", chatIds: [chatId] }),
    changes: ["chat"],
  },
  {
    name: "a locked transition",
    run: (tx, { chatId }) => endTransition(tx, { chatId, event: "interrupt" }, LOCKED),
    changes: ["chat"],
  },
  {
    name: "a release",
    run: (tx, { chatId }) => releaseChat(tx, { chatId, leaseToken: LEASE }),
    changes: ["chat"],
  },
  {
    name: "a release without the lease",
    run: (tx, { chatId }) => releaseChat(tx, { chatId, leaseToken: newId() }),
    changes: [],
  },
  {
    name: "a step",
    run: (tx, twin) => commitStep(tx, fence(twin), { step: newStep(), after: CONTINUE }),
    changes: ["chat", "message 7"],
  },
  {
    name: "a step without the lease",
    run: (tx, twin) => {
      const lost = { ...fence(twin), leaseToken: newId() };
      return commitStep(tx, lost, { step: newStep(), after: CONTINUE });
    },
    changes: [],
  },
  {
    name: "a step that continues an older history",
    run: (tx, twin) => {
      const old = { ...fence(twin), historyVersion: 4 };
      return commitStep(tx, old, { step: newStep(), after: CONTINUE });
    },
    changes: [],
  },
  {
    name: "a summary",
    run: (tx, twin) => commitSummary(tx, fence(twin), { summary: newSummary(), after: "continue" }),
    changes: ["chat", "message 7"],
  },
  {
    name: "a summary without the lease",
    run: (tx, twin) => {
      const lost = { ...fence(twin), leaseToken: newId() };
      return commitSummary(tx, lost, { summary: newSummary(), after: "continue" });
    },
    changes: [],
  },
  {
    name: "a summary of an older history",
    run: (tx, twin) => {
      const old = { ...fence(twin), historyVersion: 4 };
      return commitSummary(tx, old, { summary: newSummary(), after: "continue" });
    },
    changes: [],
  },
  {
    name: "a failed summary",
    run: (tx, twin) => {
      const failure = { status: "failed", message: "No.", turn_id: TURN } as const;
      return noteFailedSummary(tx, fence(twin), { failure, uses: [], after: "continue" });
    },
    changes: ["chat"],
  },
  {
    name: "outcomes of a step",
    run: (tx, twin) =>
      settleCalls(tx, fence(twin), {
        messageId: twin.messageId,
        calls: completed("asked", "done"),
        uses: [],
        after: CONTINUE,
      }),
    changes: ["chat", "message 4", "part 4 asked"],
  },
  {
    name: "a rest with a notice",
    run: (tx, twin) => restChat(tx, fence(twin), { after: CONTINUE, notice: "auto-submit-off" }),
    changes: ["chat", "message 4"],
  },
  {
    name: "a rest without a notice",
    run: (tx, twin) => restChat(tx, fence(twin), { after: CONTINUE, notice: null }),
    changes: ["chat"],
  },
  { name: "the start of approved calls", run: (_, twin) => start(twin), changes: ["part 4 asked"] },
  {
    name: "the start of approved calls without the lease",
    run: (_, twin) => start(twin, { leaseToken: newId() }),
    changes: [],
  },
  {
    name: "the start of approved calls of an older history",
    run: (_, twin) => start(twin, { historyVersion: 4 }),
    changes: [],
  },
  {
    name: "the start of approved calls of a chat that is being stopped",
    status: "interrupting",
    run: (_, twin) => start(twin),
    changes: [],
  },
  {
    name: "the deletion of a chat",
    status: "waiting",
    run: (tx, { chatId }) => deleteFamily(tx, chatId),
    changes: "all",
  },
];

it.each(CASES)("$name: only these rows change", async (tested) => {
  const { status = "running", state = "running", run, changes } = tested;
  other = await writeTwin(status, state);
  own = await writeTwin(status, state);
  // The head of the other queue is before all of the own one.
  await moveToQueueHead(db, other.chatId, other.queued[0] ?? "");
  const [before, otherBefore] = [await readRows(own), await readRows(other)];
  const marked: (true | undefined)[] = [];
  const query: Database["query"] = (statement, values) => {
    marked.push(statement.changesChat);
    return db.query(statement, values);
  };
  await run({ ...db, query }, own, other);
  const after = await readRows(own);
  expect(listChanges(otherBefore, await readRows(other))).toEqual([]);
  expect(listChanges(before, after)).toEqual(
    changes === "all" ? [...before.keys()].toSorted() : changes,
  );
  // Whoever writes more with the change of a chat does it in the transaction of the statement that says so.
  if (readVersion(before) !== readVersion(after)) expect(marked).toContain(true);
});
