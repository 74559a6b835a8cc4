import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatSnapshot } from "@/contract/chat";
import type { Message } from "@/contract/message";
import type { PreviewOp, ChatEvent } from "@/contract/stream-event";
import type { Task } from "@/contract/task";
import { addOlderMessages, applyEvent } from "./apply-event";
import { type ChatView, emptyChatView, toMessageViews } from "./chat-view";

const AT = "2026-11-21T08:00:00.000Z";

const createMessage = (seq: number, overrides: Partial<Message> = {}): Message => ({
  id: `00000000-0000-7000-8000-${String(seq).padStart(12, "0")}`,
  seq,
  revision: seq,
  role: seq % 2 === 1 ? "user" : "assistant",
  parts: [{ type: "text", text: `message ${seq}` }],
  created_at: AT,
  ...overrides,
});

const createChat = (version: number): ChatSnapshot => ({
  id: "00000000-0000-7000-8000-00000000aaaa",
  title: `at ${version}`,
  status: "running",
  archived: false,
  pinned: false,
  labels: {},
  parent_chat_id: null,
  root_chat_id: "00000000-0000-7000-8000-00000000aaaa",
  forked_from: null,
  model_id: null,
  system_prompt: null,
  dynamic_tools: [],
  groups: [],
  wake_on_reports: true,
  waiting_reports: 0,
  child_actions: [],
  auto_submit: { success: true, error: true },
  tools: null,
  warnings: [],
  version,
  queued_count: 0,
  queue_paused: false,
  required_action: null,
  retry: null,
  last_error: null,
  compaction: null,
  usage: { input_tokens: 0, output_tokens: 0, cost_micros: 0, by_kind: {} },
  context: { used_tokens: 0, limit_tokens: null },
  created_at: AT,
  updated_at: AT,
  queue: [],
});

const applyAll = (events: readonly ChatEvent[], from: ChatView = emptyChatView): ChatView =>
  events.reduce(applyEvent, from);
const messageEvent = (message: Message): ChatEvent => ({ type: "message", message });
const previewEvent = (seq: number, ops: PreviewOp[], attempt = 1): ChatEvent => ({
  type: "preview",
  attempt,
  seq,
  ops,
});
const RESET: ChatEvent = { type: "preview-reset", attempt: 1 };
const texts = (view: ChatView): string[] =>
  toMessageViews(view).map(({ parts }) =>
    parts.map((part) => (part.type === "text" ? part.text : part.type)).join("+"),
  );

const START_TEXT: PreviewOp[] = [
  { op: "text-start", index: 0 },
  { op: "text-append", index: 0, text: "Let me" },
];

const cases: [behavior: string, events: ChatEvent[], expected: string[]][] = [
  [
    "orders messages by seq",
    [messageEvent(createMessage(2)), messageEvent(createMessage(1))],
    ["message 1", "message 2"],
  ],
  [
    "keeps the copy with the higher revision",
    [
      messageEvent(createMessage(1, { revision: 5, parts: [{ type: "text", text: "new" }] })),
      messageEvent(createMessage(1, { revision: 4 })),
    ],
    ["new"],
  ],
  [
    "removes a deleted message",
    [
      messageEvent(createMessage(1)),
      messageEvent(createMessage(2)),
      { type: "message-deleted", id: createMessage(1).id },
    ],
    ["message 2"],
  ],
  [
    "shows the preview after the messages",
    [messageEvent(createMessage(1)), RESET, previewEvent(0, START_TEXT)],
    ["message 1", "Let me"],
  ],
  ["drops the preview on a reset", [RESET, previewEvent(0, START_TEXT), RESET], []],
  [
    "replaces the preview with the committed answer",
    [
      messageEvent(createMessage(1)),
      RESET,
      previewEvent(0, START_TEXT),
      messageEvent(createMessage(2)),
    ],
    ["message 1", "message 2"],
  ],
  [
    "drops the preview when a message is deleted",
    [
      messageEvent(createMessage(1)),
      RESET,
      previewEvent(0, START_TEXT),
      { type: "message-deleted", id: createMessage(1).id },
    ],
    [],
  ],
  [
    "applies a repeated batch once",
    [RESET, previewEvent(0, START_TEXT), previewEvent(0, START_TEXT)],
    ["Let me"],
  ],
  ["ignores a batch of another attempt", [RESET, previewEvent(0, START_TEXT, 2)], []],
  [
    "orders parts by index",
    [
      RESET,
      previewEvent(0, [
        { op: "text-start", index: 1 },
        { op: "text-append", index: 1, text: "second" },
        { op: "reasoning-start", index: 0, started_at: AT },
      ]),
    ],
    ["reasoning+second"],
  ],
];

describe("applyEvent", () => {
  it.each(cases)("%s", (_behavior, events, expected) => {
    expect(texts(applyAll(events))).toEqual(expected);
  });

  describe("the live output of a committed running call", () => {
    const withCall = (seq: number): Message =>
      createMessage(seq, {
        parts: [
          {
            type: "tool_call",
            tool_call_id: "call_0",
            tool_name: "exec",
            kind: "builtin",
            args: {},
            state: "running",
            is_error: false,
            started_at: AT,
          },
        ],
      });
    const [before, running] = [withCall(2), withCall(3)];
    const call = { message_id: running.id, tool_call_id: "call_0" };
    const output: PreviewOp[] = [
      { op: "output-append", ...call, phase: "build", text: "one " },
      { op: "output-append", ...call, text: "two" },
    ];
    const show = (ops: PreviewOp[]) =>
      toMessageViews(
        applyAll([messageEvent(before), messageEvent(running), RESET, previewEvent(0, ops)]),
      );

    it("is shown until it is reset", () => {
      expect(show(output)[1]).toMatchObject({
        parts: [{ live_output: { phase: "build", text: "one two" } }],
      });
      expect(show([...output, { op: "output-reset", ...call }])[1]).toMatchObject({
        parts: [{ live_output: { text: "" } }],
      });
    });

    it("is not shown at a call of another message with the same id", () => {
      expect(show(output)[0]).toEqual(before);
    });
  });

  it("keeps the newest chat when an older one arrives late", () => {
    const view = applyAll([
      { type: "chat", chat: createChat(7) },
      { type: "chat", chat: createChat(6) },
    ]);
    expect(view).toMatchObject({ version: 7, chat: { title: "at 7" } });
  });

  it("advances the cursor on chat and caught-up events only", () => {
    expect(applyAll([messageEvent(createMessage(9))]).version).toBe(0);
    expect(
      applyAll([messageEvent(createMessage(9)), { type: "caught-up", version: 9 }]),
    ).toMatchObject({
      version: 9,
      isCaughtUp: true,
    });
  });
});

describe("addOlderMessages", () => {
  const page: ChatView = {
    ...emptyChatView,
    messages: [createMessage(51), createMessage(52)],
    hasOlder: true,
    loadedFrom: 51,
  };

  it("adds the page before the others and keeps the preview", () => {
    const view = applyAll([RESET, previewEvent(0, START_TEXT)], page);
    const older = addOlderMessages(view, { data: [createMessage(50)], has_more: false });
    expect(texts(older)).toEqual(["message 50", "message 51", "message 52", "Let me"]);
    expect(older.hasOlder).toBe(false);
  });

  it("keeps newer revisions from the stream", () => {
    const changed = applyAll([messageEvent(createMessage(51, { revision: 60, parts: [] }))], page);
    const older = addOlderMessages(changed, {
      data: [createMessage(50), createMessage(51)],
      has_more: true,
    });
    expect(older.messages.map(({ revision }) => revision)).toEqual([50, 60, 52]);
    expect(older.hasOlder).toBe(true);
  });

  it("loads what an alternative has brought back before a page that it has replaced", () => {
    const chosen = createMessage(3, { revision: 99 });
    const deleted = page.messages.map(({ id }) => ({ type: "message-deleted" as const, id }));
    const replaced = applyAll([messageEvent(chosen), ...deleted], page);
    expect(replaced).toMatchObject({ messages: [], hasOlder: true, loadedFrom: 51 });
    const next = applyAll([messageEvent(createMessage(60))], replaced);
    const loaded = addOlderMessages(next, { data: [createMessage(2), chosen], has_more: true });
    expect(loaded.messages.map(({ seq }) => seq)).toEqual([2, 3, 60]);
    expect(loaded.loadedFrom).toBe(2);
  });

  it("skips an older message outside its page, so that there is no gap", () => {
    expect(applyAll([messageEvent(createMessage(3, { revision: 99 }))], page).messages).toEqual(
      page.messages,
    );
  });
});

const ops = fc.array(
  fc.oneof(
    fc.record({
      op: fc.constantFrom(
        "text-append" as const,
        "reasoning-append" as const,
        "args-append" as const,
      ),
      index: fc.integer({ min: 0, max: 2 }),
      text: fc.string(),
    }),
    fc.record({
      op: fc.constant("output-append" as const),
      message_id: fc.constant(createMessage(1).id),
      tool_call_id: fc.constantFrom("a", "b"),
      text: fc.string(),
    }),
  ),
  { maxLength: 30 },
);
const START_OPS: PreviewOp[] = [
  { op: "text-start", index: 0 },
  { op: "reasoning-start", index: 1, started_at: AT },
  {
    op: "tool-call-start",
    index: 2,
    tool_call_id: "a",
    tool_name: "exec",
    kind: "builtin",
    started_at: AT,
  },
];

const splitIntoBatches = (all: readonly PreviewOp[], sizes: readonly number[]): ChatEvent[] => {
  const remaining = [...all];
  const events: ChatEvent[] = [];
  for (const size of [...sizes, Infinity]) {
    if (remaining.length === 0) break;
    events.push(previewEvent(events.length, remaining.splice(0, size)));
  }
  return events;
};

describe("applyEvent with random events", () => {
  it("does not depend on how the ops of a preview are batched", () => {
    fc.assert(
      fc.property(ops, fc.array(fc.integer({ min: 1, max: 5 })), (generated, sizes) => {
        const all = [...START_OPS, ...generated];
        const unsplit = applyAll([RESET, previewEvent(0, all)]);
        const split = applyAll([RESET, ...splitIntoBatches(all, sizes)]);
        expect(toMessageViews(split)).toEqual(toMessageViews(unsplit));
      }),
    );
  });

  it("changes nothing when the whole stream is repeated", () => {
    const event = fc.oneof(
      fc.integer({ min: 1, max: 6 }).map((seq) => messageEvent(createMessage(seq))),
      fc
        .integer({ min: 1, max: 9 })
        .map((version): ChatEvent => ({ type: "chat", chat: createChat(version) })),
      ops.map((generated): ChatEvent => previewEvent(0, [...START_OPS, ...generated])),
      fc.constant(RESET),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 15 }), (generated) => {
        const events = [RESET, ...generated];
        const once = applyAll(events);
        expect(applyAll(events, once)).toEqual(once);
      }),
    );
  });
});

describe("tasks", () => {
  const createTask = (id: string, fields: Partial<Task> = {}): Task => ({
    id,
    root_chat_id: "c",
    chat_id: "c",
    tool_call_id: "call",
    kind: "agent",
    label: id,
    state: "running",
    report: null,
    created_at: AT,
    started_at: AT,
    ended_at: null,
    delivered_at: null,
    ...fields,
  });
  const taskEvent = (task: Task): ChatEvent => ({ type: "task", task });

  it("are in the order of the API, in whatever order they come", () => {
    const old = createTask("z", { created_at: "2026-11-21T07:00:00.000Z" });
    const ended = createTask("b", { state: "completed" });
    const events = [createTask("b"), createTask("a"), old, ended].map(taskEvent);
    expect(applyAll(events).tasks).toEqual([old, createTask("a"), ended]);
  });
});
