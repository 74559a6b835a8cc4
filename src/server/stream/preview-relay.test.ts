import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { toCallKey } from "@/contract/call-key";
import type { PreviewOp } from "@/contract/stream-event";
import type { PreviewEvent, PreviewResetEvent } from "./stream-event";
import { createPreviewRelay } from "./preview-relay";
import { createPreviewView } from "./preview-view";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const HISTORY = 7;
const text = (delta: string): PreviewOp => ({ op: "text-append", index: 0, text: delta });

/** A client that reads whenever it is woken, unless it is slow. */
const createWatcher = (relay = createPreviewRelay(), { slow = false } = {}) => {
  const events: (PreviewEvent | PreviewResetEvent)[] = [];
  const read = () => {
    for (;;) {
      const taken = view.take(HISTORY);
      if (taken.length === 0) return;
      events.push(...taken);
    }
  };
  const watch = relay.watch("chat", () => {
    if (!slow) read();
  });
  const view = createPreviewView(watch);
  read();
  return { events, read, watch };
};

/** What is on a client's screen after these events. */
const screen = (events: readonly (PreviewEvent | PreviewResetEvent)[]): Record<string, string> => {
  let parts: Record<string, string> = {};
  let seq = 0;
  for (const event of events) {
    if (event.type === "preview-reset") {
      parts = {};
      seq = 0;
      continue;
    }
    expect(event.seq).toBe(seq);
    seq += 1;
    for (const op of event.ops) apply(parts, op);
  }
  return parts;
};

const apply = (parts: Record<string, string>, op: PreviewOp): void => {
  if (op.op === "output-reset") delete parts[toCallKey(op)];
  else if (op.op === "output-append") {
    parts[toCallKey(op)] = `${parts[toCallKey(op)] ?? ""}${op.phase ?? ""}:${op.text}`;
  } else if (op.op === "compaction") parts[op.op] = `${op.part} of ${op.parts}`;
  else if ("text" in op) parts[op.index] = (parts[op.index] ?? "") + op.text;
  else parts[op.index] = `${parts[op.index] ?? ""}<${op.op}>`;
};

describe("a preview", () => {
  it("sends the first token at once, and later ones once per interval", () => {
    const relay = createPreviewRelay({ flushMs: 30 });
    const { events } = createWatcher(relay);
    const writer = relay.open("chat");
    writer.reset(1, HISTORY);
    writer.write({ op: "text-start", index: 0 });
    vi.advanceTimersByTime(5);
    expect(events).toEqual([]);
    writer.write(text("a"));
    vi.advanceTimersByTime(1);
    expect(events).toEqual([
      { type: "preview-reset", attempt: 1 },
      { type: "preview", attempt: 1, seq: 0, ops: [{ op: "text-start", index: 0 }, text("a")] },
    ]);
    for (const delta of "bcdef") {
      writer.write(text(delta));
      vi.advanceTimersByTime(5);
    }
    expect(events).toHaveLength(2);
    vi.advanceTimersByTime(5);
    expect(events.slice(2)).toEqual([
      { type: "preview", attempt: 1, seq: 1, ops: [text("bcdef")] },
    ]);
  });

  it("sends a start without content after one interval", () => {
    const relay = createPreviewRelay({ flushMs: 30 });
    const { events } = createWatcher(relay);
    const writer = relay.open("chat");
    writer.reset(1, HISTORY);
    writer.write({ op: "text-start", index: 0 });
    vi.advanceTimersByTime(30);
    expect(screen(events)).toEqual({ "0": "<text-start>" });
  });

  it("is one object for all watchers from the beginning", () => {
    const relay = createPreviewRelay();
    const [one, two] = [createWatcher(relay), createWatcher(relay)];
    const writer = relay.open("chat");
    writer.reset(1, HISTORY);
    for (const delta of "abc") {
      writer.write(text(delta));
      vi.advanceTimersByTime(40);
    }
    const batches = one.events.filter(({ type }) => type === "preview");
    expect(batches).toHaveLength(3);
    expect(
      two.events
        .filter(({ type }) => type === "preview")
        .map((batch, index) => batch === batches[index]),
    ).toEqual([true, true, true]);
  });

  it("sends a late watcher everything so far as one batch, then continues", () => {
    const relay = createPreviewRelay();
    const early = createWatcher(relay);
    const writer = relay.open("chat");
    writer.reset(1, HISTORY);
    for (const delta of ["a", "b", "c"]) {
      writer.write(text(delta));
      vi.advanceTimersByTime(40);
    }
    const late = createWatcher(relay);
    expect(late.events).toEqual([
      { type: "preview-reset", attempt: 1 },
      { type: "preview", attempt: 1, seq: 0, ops: [text("abc")] },
    ]);
    writer.write(text("d"));
    vi.advanceTimersByTime(40);
    expect(late.events.slice(2)).toEqual([
      { type: "preview", attempt: 1, seq: 1, ops: [text("d")] },
    ]);
    expect(screen(late.events)).toEqual(screen(early.events));
  });

  it("without watchers sets no timer, and is complete for the next watcher", () => {
    const relay = createPreviewRelay();
    const writer = relay.open("chat");
    writer.reset(1, HISTORY);
    for (const delta of "abc") writer.write(text(delta));
    expect(vi.getTimerCount()).toBe(0);
    expect(screen(createWatcher(relay).events)).toEqual({ "0": "abc" });
  });

  it("is sent again as one batch to a watcher that is too slow", () => {
    const relay = createPreviewRelay();
    const slow = createWatcher(relay, { slow: true });
    const writer = relay.open("chat");
    writer.reset(1, HISTORY);
    writer.write(text("first "));
    vi.advanceTimersByTime(40);
    slow.read();
    for (let index = 0; index < 1_000; index += 1) {
      writer.write(text(`${index} `));
      vi.advanceTimersByTime(40);
    }
    const before = slow.events.length;
    slow.read();
    expect(slow.events.slice(before).map(({ type }) => type)).toEqual(["preview-reset", "preview"]);
    expect(screen(slow.events)["0"]).toMatch(/^first 0 1 2 .* 998 999 $/);
    writer.write(text("last"));
    vi.advanceTimersByTime(40);
    slow.read();
    expect(screen(slow.events)["0"]).toMatch(/999 last$/);
  });

  it("is dropped by a new attempt, after which its writer is ignored", () => {
    const relay = createPreviewRelay();
    const { events } = createWatcher(relay);
    const [old, next] = [relay.open("chat"), relay.open("chat")];
    old.reset(1, HISTORY);
    old.write(text("old"));
    vi.advanceTimersByTime(40);
    next.reset(2, HISTORY);
    old.write(text("older"));
    old.end();
    vi.advanceTimersByTime(40);
    expect(events.at(-1)).toEqual({ type: "preview-reset", attempt: 2 });
    next.write(text("new"));
    vi.advanceTimersByTime(40);
    expect(screen(events)).toEqual({ "0": "new" });
  });

  it("of another history is not sent", () => {
    const relay = createPreviewRelay();
    const { events } = createWatcher(relay);
    const writer = relay.open("chat");
    for (const history of [HISTORY - 1, HISTORY + 1]) {
      writer.reset(1, history);
      writer.write(text("unseen"));
      vi.advanceTimersByTime(40);
    }
    expect(events).toEqual([]);
  });
});

const MESSAGE_IDS = [
  "00000000-0000-7000-8000-000000000001",
  "00000000-0000-7000-8000-000000000002",
];

const op = fc.oneof(
  fc.record({
    op: fc.constantFrom(
      "text-append" as const,
      "reasoning-append" as const,
      "args-append" as const,
    ),
    index: fc.nat(2),
    text: fc.string({ maxLength: 3 }),
  }),
  fc.record({ op: fc.constant("text-start" as const), index: fc.nat(2) }),
  fc.record(
    {
      op: fc.constant("output-append" as const),
      message_id: fc.constantFrom(...MESSAGE_IDS),
      tool_call_id: fc.constantFrom("call-1", "call-2"),
      phase: fc.constantFrom("think", "advise"),
      text: fc.string({ minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: ["op", "message_id", "tool_call_id", "text"] },
  ),
  fc.record({
    op: fc.constant("output-reset" as const),
    message_id: fc.constantFrom(...MESSAGE_IDS),
    tool_call_id: fc.constantFrom("call-1", "call-2"),
  }),
);
const event = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("write" as const), op }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("join" as const), slow: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reset" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("read" as const) }) },
);

it("every watcher, early, late or slow, sees what was written since the last reset", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 150 }), (events) => {
      const relay = createPreviewRelay();
      const writer = relay.open("chat");
      const watchers = [createWatcher(relay)];
      let attempt = 1;
      let written: PreviewOp[] = [];
      writer.reset(attempt, HISTORY);
      for (const step of events) {
        if (step.do === "wait") vi.advanceTimersByTime(step.ms);
        else if (step.do === "join") watchers.push(createWatcher(relay, step));
        else if (step.do === "read") watchers.forEach(({ read }) => read());
        else if (step.do === "reset") {
          writer.reset((attempt += 1), HISTORY);
          written = [];
        } else {
          written.push(step.op);
          writer.write(step.op);
        }
      }
      vi.advanceTimersByTime(100);
      const expected = written.length === 0 ? {} : wholeScreen(written);
      for (const { events: seen, read } of watchers) {
        read();
        expect(joined(seen)).toEqual(expected);
      }
    }),
    { numRuns: 300 },
  );
});

/** As `screen`, regardless of batch boundaries. */
const joined = (events: readonly (PreviewEvent | PreviewResetEvent)[]) => {
  const since = events.slice(events.findLastIndex(({ type }) => type === "preview-reset") + 1);
  screen(events);
  return wholeScreen(since.flatMap((batch) => (batch.type === "preview" ? batch.ops : [])));
};
const wholeScreen = (ops: readonly PreviewOp[]): Record<string, string> => {
  const parts: Record<string, string> = {};
  const phases: Record<string, string> = {};
  for (const each of ops) {
    if (each.op === "output-append") {
      const phase = each.phase ?? "";
      const isSame = toCallKey(each) in parts && phases[toCallKey(each)] === phase;
      parts[toCallKey(each)] =
        `${parts[toCallKey(each)] ?? ""}${isSame ? "" : `[${phase}]`}${each.text}`;
      phases[toCallKey(each)] = phase;
    } else apply(parts, each);
  }
  return parts;
};
