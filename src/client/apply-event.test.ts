import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChatSnapshot } from "@/contract/chat";
import type { Message } from "@/contract/message";
import type { PreviewOp, StreamEvent } from "@/contract/stream-event";
import { applyEvent, withOlderMessages } from "./apply-event";
import { type ChatView, emptyChatView, toMessageViews } from "./chat-view";

const AT = "2026-11-21T08:00:00.000Z";

const message = (seq: number, more: Partial<Message> = {}): Message => ({
  id: `00000000-0000-7000-8000-${String(seq).padStart(12, "0")}`,
  seq,
  revision: seq,
  role: seq % 2 === 1 ? "user" : "assistant",
  parts: [{ type: "text", text: `message ${seq}` }],
  created_at: AT,
  ...more,
});

const chat = (version: number): ChatSnapshot => ({
  id: "00000000-0000-7000-8000-00000000aaaa",
  title: `at ${version}`,
  status: "running",
  archived: false,
  pinned: false,
  labels: {},
  parent_chat_id: null,
  root_chat_id: "00000000-0000-7000-8000-00000000aaaa",
  model_id: null,
  system_prompt: null,
  dynamic_tools: [],
  warnings: [],
  version,
  queued_count: 0,
  required_action: null,
  retry: null,
  last_error: null,
  usage: { input_tokens: 0, output_tokens: 0, cost_micros: 0, by_kind: {} },
  context: { used_tokens: 0, limit_tokens: null },
  created_at: AT,
  updated_at: AT,
  queue: [],
});

const applied = (events: readonly StreamEvent[], from: ChatView = emptyChatView): ChatView =>
  events.reduce(applyEvent, from);
const put = (one: Message): StreamEvent => ({ type: "message", message: one });
const preview = (seq: number, ops: PreviewOp[], attempt = 1): StreamEvent => ({
  type: "preview",
  attempt,
  seq,
  ops,
});
const RESET: StreamEvent = { type: "preview-reset", attempt: 1 };
const texts = (view: ChatView): string[] =>
  toMessageViews(view).map(({ parts }) =>
    parts.map((part) => (part.type === "text" ? part.text : part.type)).join("+"),
  );

const started: PreviewOp[] = [
  { op: "text-start", index: 0 },
  { op: "text-append", index: 0, text: "Let me" },
];

const cases: [what: string, events: StreamEvent[], shown: string[]][] = [
  ["messages in the order of seq", [put(message(2)), put(message(1))], ["message 1", "message 2"]],
  [
    "the higher revision of two copies",
    [
      put(message(1, { revision: 5, parts: [{ type: "text", text: "new" }] })),
      put(message(1, { revision: 4 })),
    ],
    ["new"],
  ],
  [
    "no message that was deleted",
    [put(message(1)), put(message(2)), { type: "message-deleted", id: message(1).id }],
    ["message 2"],
  ],
  [
    "the preview behind the messages",
    [put(message(1)), RESET, preview(0, started)],
    ["message 1", "Let me"],
  ],
  ["no preview after its reset", [RESET, preview(0, started), RESET], []],
  [
    "a committed answer without its preview beside it",
    [put(message(1)), RESET, preview(0, started), put(message(2))],
    ["message 1", "message 2"],
  ],
  [
    "no preview that continued a deleted message",
    [put(message(1)), RESET, preview(0, started), { type: "message-deleted", id: message(1).id }],
    [],
  ],
  ["a batch once that came twice", [RESET, preview(0, started), preview(0, started)], ["Let me"]],
  ["no batch of another attempt", [RESET, preview(0, started, 2)], []],
  [
    "parts by their place",
    [
      RESET,
      preview(0, [
        { op: "text-start", index: 1 },
        { op: "text-append", index: 1, text: "second" },
        { op: "reasoning-start", index: 0, started_at: AT },
      ]),
    ],
    ["reasoning+second"],
  ],
];

describe("applyEvent shows", () => {
  it.each(cases)("%s", (_what, events, shown) => {
    expect(texts(applied(events))).toEqual(shown);
  });

  it("what a running call says, also when it is committed already", () => {
    const call: Message = message(2, {
      parts: [
        {
          type: "tool_call",
          tool_call_id: "c1",
          tool_name: "exec",
          kind: "builtin",
          args: {},
          state: "running",
          is_error: false,
          started_at: AT,
        },
      ],
    });
    const said = (op: PreviewOp[]) => toMessageViews(applied([put(call), RESET, preview(0, op)]));
    const output: PreviewOp[] = [
      { op: "output-append", tool_call_id: "c1", phase: "build", text: "one " },
      { op: "output-append", tool_call_id: "c1", text: "two" },
    ];
    expect(said(output)).toMatchObject([
      { parts: [{ live_output: { phase: "build", text: "one two" } }] },
    ]);
    expect(said([...output, { op: "output-reset", tool_call_id: "c1" }])).toMatchObject([
      { parts: [{ live_output: { text: "" } }] },
    ]);
  });

  it("the newest chat record, whatever comes late", () => {
    const view = applied([
      { type: "chat", chat: chat(7) },
      { type: "chat", chat: chat(6) },
    ]);
    expect(view).toMatchObject({ version: 7, chat: { title: "at 7" } });
  });

  it("a cursor that only a chat or the end of the snapshot moves", () => {
    expect(applied([put(message(9))]).version).toBe(0);
    expect(applied([put(message(9)), { type: "caught-up", version: 9 }])).toMatchObject({
      version: 9,
      caughtUp: true,
    });
  });
});

describe("older messages", () => {
  const page: ChatView = { ...emptyChatView, messages: [message(51), message(52)], hasOlder: true };

  it("come before the others and leave the preview alone", () => {
    const view = applied([RESET, preview(0, started)], page);
    const older = withOlderMessages(view, { data: [message(50)], has_more: false });
    expect(texts(older)).toEqual(["message 50", "message 51", "message 52", "Let me"]);
    expect(older.hasOlder).toBe(false);
  });

  it("do not replace what the stream told since", () => {
    const changed = applied([put(message(51, { revision: 60, parts: [] }))], page);
    const older = withOlderMessages(changed, { data: [message(50), message(51)], has_more: true });
    expect(older.messages.map(({ revision }) => revision)).toEqual([50, 60, 52]);
    expect(older.hasOlder).toBe(true);
  });

  it("wait for their page, so that nothing is missing between", () => {
    expect(applied([put(message(3, { revision: 99 }))], page).messages).toEqual(page.messages);
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
      tool_call_id: fc.constantFrom("a", "b"),
      text: fc.string(),
    }),
  ),
  { maxLength: 30 },
);
const opening: PreviewOp[] = [
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

const batches = (all: readonly PreviewOp[], sizes: readonly number[]): StreamEvent[] => {
  const left = [...all];
  const events: StreamEvent[] = [];
  for (const size of [...sizes, Infinity]) {
    if (left.length === 0) break;
    events.push(preview(events.length, left.splice(0, size)));
  }
  return events;
};

describe("a preview", () => {
  it("is the same however its ops are batched", () => {
    fc.assert(
      fc.property(ops, fc.array(fc.integer({ min: 1, max: 5 })), (made, sizes) => {
        const all = [...opening, ...made];
        const whole = applied([RESET, preview(0, all)]);
        const cut = applied([RESET, ...batches(all, sizes)]);
        expect(toMessageViews(cut)).toEqual(toMessageViews(whole));
      }),
    );
  });

  it("and all else is the same when the whole stream is told again", () => {
    const event = fc.oneof(
      fc.integer({ min: 1, max: 6 }).map((seq) => put(message(seq))),
      fc
        .integer({ min: 1, max: 9 })
        .map((version): StreamEvent => ({ type: "chat", chat: chat(version) })),
      ops.map((made): StreamEvent => preview(0, [...opening, ...made])),
      fc.constant(RESET),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 15 }), (made) => {
        const events = [RESET, ...made];
        const once = applied(events);
        expect(applied(events, once)).toEqual(once);
      }),
    );
  });
});
