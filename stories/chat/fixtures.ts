import { fn } from "storybook/test";
import type { MessageView, PartView } from "@/contract/chat-view";

/** The current time in these stories, in milliseconds. */
export const NOW = Date.parse("2026-03-12T12:00:04.000Z");
const CREATED_AT = "2026-03-12T12:00:00.000Z";

/** Returns a UUID that ends in a number. */
export const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`;

const base = (seq: number) => ({ id: id(seq), seq, revision: seq, created_at: CREATED_AT });

export const userMessage = (seq: number, text: string): MessageView => ({
  ...base(seq),
  role: "user",
  parts: [{ type: "text", text }],
});

export const assistantMessage = (
  seq: number,
  parts: PartView[],
  overrides: Partial<MessageView> = {},
): MessageView => ({
  ...base(seq),
  role: "assistant",
  parts,
  model: "demo",
  finish_reason: "stop",
  usage: { input_tokens: 1_840, output_tokens: 212 },
  ...overrides,
});

export const text = (content: string): PartView => ({ type: "text", text: content });

export const reasoning = (content: string): PartView => ({
  type: "reasoning",
  text: content,
  started_at: "2026-03-12T11:59:48.000Z",
  completed_at: "2026-03-12T11:59:55.000Z",
});

export const toolCall = (name: string, overrides: Partial<PartView> = {}): PartView =>
  ({
    type: "tool_call",
    tool_call_id: `call_${name}`,
    tool_name: name,
    kind: "builtin",
    args: { path: "notes/tides.md" },
    state: "completed",
    output: "1\t# Tides\n2\t\n3\t- springs\n4\t- neaps",
    is_error: false,
    started_at: "2026-03-12T11:59:56.000Z",
    completed_at: "2026-03-12T11:59:58.200Z",
    ...overrides,
  }) as PartView;

/** Usage of a chat whose model has no prices. */
export const USAGE = { input_tokens: 84_200, output_tokens: 3_100, cost_micros: 0, by_kind: {} };

export const messageActions = {
  editingId: undefined,
  isSavingEdit: false,
  onEditStart: fn(),
  onEditCancel: fn(),
  onEditSave: fn(),
  onRegenerate: fn(),
  onFork: fn(),
  onWorkToggle: fn(),
};

const ANSWER = `The window on Saturday is **09:40 to 12:10**. Leave the pontoon by 09:15:

1. High water at Oban is *08:52*, 3.8 m above datum.
2. The stream in the sound turns about 50 minutes later.
3. After noon the wind freshens to 18 knots from the south-west.

\`\`\`ts
const RISEN = [0, 1, 3, 6, 9, 11, 12] as const;

export const depthAt = (hour: number, low: number, range: number): number =>
  low + (range * (RISEN[hour] ?? 12)) / 12;
\`\`\`

The mooring has **1.4 m** to spare at the lowest point, so there is no hurry to be back.`;

/** A short chat with reasoning, text, tool calls and sources. */
export const CONVERSATION: MessageView[] = [
  userMessage(1, "When can we get through the sound on Saturday? Check my notes first."),
  assistantMessage(
    2,
    [
      reasoning("The notes should say which mooring it is, so read them before the tables."),
      text("I'll look at your notes and the harbour's data."),
      toolCall("read_file"),
      toolCall("lookup_harbour", {
        kind: "dynamic",
        args: { name: "Oban" },
        output: { high_water: "08:52", depth_m: 3.8 },
      }),
    ],
    { finish_reason: "tool-calls" },
  ),
  assistantMessage(3, [
    text(ANSWER),
    { type: "source", url: "https://www.ukho.example/oban", title: "Tide tables: Oban" },
    { type: "source", url: "https://forecast.example/sw-scotland" },
  ]),
];

/** A chat with many turns, for virtualized lists. */
export const longConversation = (turns: number, from = 1): MessageView[] =>
  Array.from({ length: turns }, (_, turn) => [
    userMessage(from + turn * 2, `Question ${from + turn * 2}`),
    assistantMessage(from + turn * 2 + 1, [
      text(
        `Answer ${from + turn * 2 + 1}. ${"It has a sentence or two. ".repeat((turn % 5) * 3 + 1)}`,
      ),
    ]),
  ]).flat();
