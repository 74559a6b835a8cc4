import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { v7 as newId } from "uuid";
import type { ChatStatus } from "@/contract/chat";
import { MAX_REPORT_TURNS } from "@/contract/limits";
import type { Database } from "@/server/db/connection/database";
import type { ToolCallPartRow } from "@/server/db/chats/rows";
import { CHAT_STATES, type ChatState, classify } from "@/server/machine/table/chat-state";
import { CHAT_EVENTS, type ChatEvent, nextOutcome } from "@/server/machine/table/transition-table";
import { readChat } from "@/test/chat-probe";
import { testDatabase } from "@/test/database";
import { createUser } from "@/test/factories";
import { chatWith, type MachineRow, machineRow } from "@/test/machine-row";
import { deleteFamily } from "./chat-lifecycle";
import { claimChats, releaseChat } from "./claim";
import { completeAction } from "./complete-action";
import { endTransition, type LockedChange, LOCKED_EVENTS } from "./locked-transition";
import { NO_OUTCOME } from "@/server/db/sql/rows/part-columns";
import type { AfterCommit } from "./after-commit";
import { commitStep, restChat, settleCalls } from "./turn-commits";
import { type AfterSummary, commitSummary, noteFailedSummary } from "./summary-commits";
import { deferChat, recordAttempt, recordRetry } from "./turn-retries";

const PARK_SECONDS = 60;
const END = "end of the test";

let db: Database;
let userId: string;
let stopListening: () => Promise<void>;
const notices: string[] = [];
const expectedNotices: string[] = [];

beforeAll(async () => {
  db = await testDatabase();
  userId = await createUser(db);
  stopListening = await db.changes.subscribe((notice) => notices.push(notice));
});
afterAll(() => stopListening());

/** Each state that a row can be in, and the shapes that are invalid. */
type Shape = { status: ChatStatus; archived: boolean; queued: number; paused: boolean };
const SHAPES: [ChatState, Shape][] = [
  ...CHAT_STATES.filter((state) => state !== "invalid").map((state): (typeof SHAPES)[number] => [
    state,
    {
      status: state.replace(/^archived_|_(?:queued|paused)$/g, "") as ChatStatus,
      archived: state.startsWith("archived_"),
      queued: /_(?:queued|paused)$/.test(state) ? 2 : 0,
      paused: state.endsWith("_paused"),
    },
  ]),
  ["invalid", { status: "waiting", archived: false, queued: 1, paused: false }],
  ["invalid", { status: "waiting", archived: true, queued: 1, paused: false }],
  ["invalid", { status: "running", archived: true, queued: 0, paused: false }],
  ["invalid", { status: "requires_action", archived: true, queued: 2, paused: false }],
];

/** The values that the statements write, where the table does not decide. */
const NEW_TURN = newId();
const NEW_ERROR = { kind: "generic", message: "It failed.", retryable: false } as const;

type Change = Pick<
  LockedChange,
  "historyChanged" | "queueChanged" | "queueGrowth" | "newMessages" | "reportGrowth"
> & {
  newSteps: number;
  newTurnId: string | null;
  alternativeCount: number | null;
  lastError: LockedChange["lastError"];
  compaction: NonNullable<LockedChange["compaction"]> | null;
};
const UNCHANGED: Change = {
  historyChanged: false,
  queueChanged: false,
  queueGrowth: 0,
  newMessages: 0,
  reportGrowth: 0,
  newSteps: 0,
  newTurnId: null,
  alternativeCount: null,
  lastError: null,
  compaction: null,
};

type Statement = {
  name: string;
  event: ChatEvent;
  then?: ChatEvent;
  change?: Partial<Change>;
  run: (row: MachineRow & { id: string }) => Promise<unknown>;
};

const toFence = (row: MachineRow & { id: string }) => ({
  chatId: row.id,
  leaseToken: row.leaseToken ?? "",
  historyVersion: row.historyVersion,
});
const usage = { input_tokens: 7, output_tokens: 5 };
const newStep = () => ({
  messageId: newId(),
  usageId: newId(),
  model: "demo/demo",
  parts: [],
  usage,
  costMicros: 3,
  finishReason: "stop" as const,
  responseId: null,
});

/** A call that tells the end of a task. */
const REPORTING_CALL: ToolCallPartRow = {
  ...NO_OUTCOME,
  type: "tool_call",
  toolCallId: "call_1",
  toolName: "exec",
  kind: "builtin",
  args: {},
  approvedArgs: null,
  approvalScope: null,
  state: "completed",
  startedAt: new Date(),
};

const newRetry = {
  attempt: 9,
  delay_ms: 1,
  kind: "rate_limit" as const,
  message: "Wait.",
  failures: 8,
  paid_failures: 1,
};

const ENDS: [AfterCommit, ChatEvent | undefined][] = [
  [{ type: "continue" }, undefined],
  [
    { type: "park", timeouts: [{ toolCallId: "call", timeoutSeconds: PARK_SECONDS }] },
    "enter_action",
  ],
  [{ type: "finish" }, "finish_turn"],
];
const ended = (
  name: string,
  change: Partial<Change>,
  run: (row: MachineRow & { id: string }, after: AfterCommit) => Promise<unknown>,
): Statement[] =>
  ENDS.map(([after, then]) => ({
    name: `${name} and ${after.type}`,
    event: "commit_step",
    ...(then && { then }),
    change: { historyChanged: true, ...change },
    run: (row) => run(row, after),
  }));

const locked = (event: (typeof LOCKED_EVENTS)[number], change: Change): Statement => ({
  name: `locked ${event} ${change === UNCHANGED ? "without effects" : "with effects"}`,
  event,
  change,
  run: ({ id }) =>
    db.transaction((tx) =>
      endTransition(tx, { chatId: id, event }, { ...change, modelId: null, choice: undefined }),
    ),
});
const CHANGED: Change = {
  historyChanged: true,
  queueChanged: true,
  queueGrowth: 1,
  newMessages: 1,
  reportGrowth: -1,
  newSteps: 0,
  newTurnId: NEW_TURN,
  alternativeCount: 3,
  lastError: NEW_ERROR,
  compaction: { status: "requested", rests: true },
};

const SUMMARY_ENDS: [AfterSummary, ChatEvent | undefined][] = [
  ["continue", undefined],
  ["finish", "finish_turn"],
];
const newSummary = () => ({
  messageId: newId(),
  model: "demo/demo",
  parts: [{ type: "text" as const, text: "What was said." }],
  uses: [{ id: newId(), model: "demo/demo", usage, costMicros: 3 }],
  contextTokens: 12,
});
const FAILURE = { status: "failed", message: "No.", turn_id: newId() } as const;
const REQUESTED = `{"rests": true, "status": "requested"}`;
/** As the database writes it. */
const FAILED = `{"status": "failed", "message": "No.", "turn_id": "${FAILURE.turn_id}"}`;

const STATEMENTS: Statement[] = [
  {
    name: "claim",
    event: "acquire",
    run: () => claimChats(db, { owner: "claimer", limit: 100_000 }),
  },
  { name: "release", event: "release", run: (row) => releaseChat(db, toFence(row)) },
  {
    name: "record a retry",
    event: "record_retry",
    run: (row) => recordRetry(db, toFence(row), newRetry),
  },
  { name: "defer", event: "defer", run: (row) => deferChat(db, toFence(row), newRetry) },
  {
    name: "record an attempt",
    event: "record_attempt",
    run: (row) => recordAttempt(db, toFence(row)),
  },
  ...ended("commit a step", { newMessages: 1, newSteps: 1 }, (row, after) =>
    commitStep(db, toFence(row), { step: newStep(), after }),
  ),
  ...ended("settle calls", {}, (row, after) =>
    settleCalls(db, toFence(row), { messageId: newId(), calls: [], uses: [], after }),
  ),
  ...ended("settle reporting calls", {}, (row, after) =>
    settleCalls(db, toFence(row), {
      messageId: newId(),
      uses: [],
      after,
      calls: [{ ...REPORTING_CALL, reportedTasks: [newId()] }],
    }),
  ),
  ...SUMMARY_ENDS.flatMap(([after, then]): Statement[] => [
    {
      name: `commit a summary and ${after}`,
      event: "commit_step",
      ...(then && { then }),
      change: { historyChanged: true, newMessages: 1 },
      run: (row) => commitSummary(db, toFence(row), { summary: newSummary(), after }),
    },
    {
      name: `note a failed summary and ${after}`,
      event: "commit_step",
      ...(then && { then }),
      change: { historyChanged: true },
      run: (row) => noteFailedSummary(db, toFence(row), { failure: FAILURE, uses: [], after }),
    },
  ]),
  ...ended("rest", {}, (row, after) => restChat(db, toFence(row), { after, notice: null })),
  ...(["complete_action", "decide_some"] as const).map((event) => ({
    name: `answer and ${event}`,
    event,
    change: { historyChanged: true },
    run: async (row: { id: string }) => {
      const chat = await readChat(db, row.id);
      const outcomes = [
        { toolCallId: "call_1", state: "completed", resolvedBy: "someone" } as const,
      ];
      return completeAction(db, { chat, event, outcomes, overridesClaims: false });
    },
  })),
  ...LOCKED_EVENTS.flatMap((event) => [locked(event, UNCHANGED), locked(event, CHANGED)]),
  {
    name: "delete",
    event: "delete",
    run: ({ id }) => db.transaction((tx) => deleteFamily(tx, id)),
  },
];

/** Whether the queue is paused after a statement; only the row's own event pauses it. */
const pausedAfter = (row: MachineRow, { event }: Statement, queued: number): boolean =>
  queued > 0 && nextOutcome(classify(row), event)?.pausesQueue === true;

/** Where the table leads: a second event with effects needs the row lock and does not happen here. */
const getTarget = (
  row: MachineRow,
  { event, then }: Statement,
): ChatStatus | "gone" | undefined => {
  const first = nextOutcome(classify(row), event);
  if (!first || first.to === "gone" || !then) return first?.to;
  const second = nextOutcome(classify({ ...row, status: first.to }), then);
  return second?.effects.length === 0 ? second.to : first.to;
};

const ATTEMPTS: Partial<Record<ChatEvent, number>> = { acquire: 1, record_attempt: 1, release: -1 };

/** Events with which a person lets a chat go on. */
const START_ANEW = new Set<ChatEvent>(["continue", "compact"]);

const CLEARS_SESSIONS = new Set<ChatEvent>(["interrupt", "archive", "acquire"]);

/** Every column of the machine after an event, by the rules of docs/chat-states.md. */
const rowAfter = (row: MachineRow, statement: Statement, to: ChatStatus): MachineRow => {
  const { event } = statement;
  const change = { ...UNCHANGED, ...statement.change };
  const version = row.version + 1;
  const keepsLease = to === "running" || to === "interrupting";
  const attempts = ATTEMPTS[event] ?? 0;
  const staysPending = row.status === "pending" && to === "pending";
  const staysRetried =
    (to === "running" || staysPending) && !change.historyChanged && attempts === 0;
  const isRetried = event === "record_retry" || event === "defer";
  const parked = statement.then === "enter_action" ? "set" : row.actionDeadlineAt;
  return {
    ...row,
    status: to,
    version,
    historyVersion: change.historyChanged ? version : row.historyVersion,
    queueVersion: change.queueChanged ? version : row.queueVersion,
    attempt: change.historyChanged || START_ANEW.has(event) ? 0 : row.attempt + attempts,
    retry: isRetried ? "set" : staysRetried ? row.retry : null,
    notBefore: event === "defer" ? "set" : staysPending && staysRetried ? row.notBefore : null,
    leaseOwner: event === "acquire" ? "claimer" : keepsLease ? row.leaseOwner : null,
    leaseToken: event === "acquire" ? "set" : keepsLease ? row.leaseToken : null,
    leaseExpiresAt: event === "acquire" ? "set" : keepsLease ? row.leaseExpiresAt : null,
    // The worker that is named does not exist, so a claim clears it.
    sessionOwner: CLEARS_SESSIONS.has(event) ? null : row.sessionOwner,
    actionDeadlineAt: to === "requires_action" || to === "awaiting_agents" ? parked : null,
    lastError: to === "error" ? (change.lastError?.message ?? row.lastError) : null,
    compaction: compactionAfter(row, statement),
    archivedAt: archivedAfter(row, event),
    queuedCount: row.queuedCount + change.queueGrowth,
    queuePaused: pausedAfter(row, statement, row.queuedCount + change.queueGrowth),
    lastSeq: row.lastSeq + change.newMessages,
    alternativeCount: change.alternativeCount ?? row.alternativeCount,
    turnId: change.newTurnId ?? row.turnId,
    turnSteps: change.newTurnId ? 0 : row.turnSteps + change.newSteps,
    taskVersion:
      TASK_EVENTS.has(event) || REPLACING_EVENTS.has(event) || change.reportGrowth !== 0
        ? version
        : row.taskVersion,
    reportCount: row.reportCount + change.reportGrowth,
    wakesLeft: wakesAfter(row, event, change),
    updatedAt: KEEPS_PLACE.has(event) ? row.updatedAt : "set",
  };
};

/** Events after which a chat has its former place in lists. */
const KEEPS_PLACE = new Set<ChatEvent>([
  ...(["record_retry", "record_attempt", "release", "defer"] as const),
  ...(["archive", "unarchive", "note_task", "stop_agents"] as const),
]);

const TASK_EVENTS = new Set<ChatEvent>(["note_task", "wake", "take_reports"]);

/** The row has tasks, whose calls these may replace. */
const REPLACING_EVENTS = new Set<ChatEvent>(["edit", "regenerate", "choose_branch"]);

const wakesAfter = ({ wakesLeft }: MachineRow, event: ChatEvent, { newTurnId }: Change): number => {
  if (event === "wake") return wakesLeft - 1;
  if (event === "interrupt" || event === "stop_agents") return 0;
  return newTurnId === null || event === "choose_branch" ? wakesLeft : MAX_REPORT_TURNS;
};

const ENDS_COMPACTION = new Set<ChatEvent>([
  ...([
    "finish_interruption",
    "fail_turn",
    "clear_context",
    "undo_boundary",
    "choose_branch",
  ] as const),
]);

const compactionAfter = (row: MachineRow, { event, change, name }: Statement): string | null => {
  if (name.startsWith("commit a summary")) return null;
  if (name.startsWith("note a failed summary")) return FAILED;
  if (event === "compact") return name.endsWith("without effects") ? null : REQUESTED;
  if (ENDS_COMPACTION.has(event)) return null;
  return change?.newTurnId ? null : row.compaction;
};

const archivedAfter = (row: MachineRow, event: ChatEvent): MachineRow["archivedAt"] => {
  if (event === "archive") return row.archivedAt ?? new Date(0);
  return event === "unarchive" || event === "reconcile" ? null : row.archivedAt;
};

const TIMES_AND_TOKENS = [
  ...(["retry", "notBefore", "leaseToken", "leaseExpiresAt"] as const),
  ...(["actionDeadlineAt", "updatedAt"] as const),
];

/** Values that the statement makes are compared by whether they are there. */
const comparable = (row: MachineRow, before: MachineRow) => ({
  ...row,
  archivedAt: row.archivedAt !== null,
  ...Object.fromEntries(
    TIMES_AND_TOKENS.map((column) => [
      column,
      row[column] === null || row[column] === before[column] ? row[column] : "set",
    ]),
  ),
});

describe.each(STATEMENTS)("$name", (statement) => {
  it.each(SHAPES)("in %s %o does what the table says", async (state, shape) => {
    const id = await chatWith(db, userId, shape);
    const before = await machineRow(db, id);
    if (!before) throw new Error("the chat was not written");
    expect(classify(before)).toBe(state);
    const to = getTarget(before, statement);
    const run = statement.run({ ...before, id });
    if (to === undefined && statement.name.startsWith("locked")) {
      await expect(run).rejects.toThrow(`does not accept ${statement.event}`);
    } else {
      await run;
    }
    const after = await machineRow(db, id);
    if (to === "gone") {
      expect(after).toBeUndefined();
      expectedNotices.push(`${id} ${before.version} deleted ${userId}`);
      return;
    }
    if (!after) throw new Error("the chat is gone");
    if (to === undefined) {
      expect(after).toEqual(before);
      return;
    }
    expect(comparable(after, before)).toEqual(comparable(rowAfter(before, statement, to), before));
    expectedNotices.push(`${id} ${after.version} ${to} ${userId}`);
  });
});

it("is tried for each event", () => {
  const tried = STATEMENTS.flatMap(({ event, then }) => (then ? [event, then] : [event]));
  expect([...new Set(tried)].toSorted()).toEqual([...CHAT_EVENTS].toSorted());
});

describe("the notifications", () => {
  it("are one for each change, and none for a refusal", async () => {
    await db.query({ name: "test-end", announces: true, text: "SELECT $1::text AS notice" }, [END]);
    await expect.poll(() => notices.includes(END)).toBe(true);
    const own = notices.filter((payload) => payload.endsWith(` ${userId}`));
    // A claim takes the chats of earlier cases too.
    const claimed = new Set(own.filter((payload) => !expectedNotices.includes(payload)));
    for (const payload of claimed) expect(payload).toMatch(/ (running|interrupting) /);
    expect(own.filter((payload) => !claimed.has(payload)).sort()).toEqual(expectedNotices.sort());
  });
});
