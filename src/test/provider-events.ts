import type { ServerResponse } from "node:http";
import { sendEvents } from "./stub-server";

/** A provider that runs tools itself. */
export type ToolProvider = "openai" | "anthropic" | "google";

/** Ends an answer with its events. */
export const endAnswer = (response: ServerResponse, events: unknown[]): void => {
  sendEvents(response, events);
  response.end();
};

/** @returns the events of an answer of OpenAI that has these items and a text. */
export const openAiAnswer = (
  text: string,
  items: { id: string; type: string }[] = [],
): unknown[] => [
  { type: "response.created", response: { id: "r", created_at: 0, model: "gpt-5" } },
  ...items.flatMap((item, output_index) => [
    { type: "response.output_item.added", output_index, item: { status: "in_progress", ...item } },
    { type: "response.output_item.done", output_index, item },
  ]),
  {
    type: "response.output_item.added",
    output_index: items.length,
    item: { type: "message", id: "m1" },
  },
  { type: "response.output_text.delta", item_id: "m1", delta: text },
  {
    type: "response.output_item.done",
    output_index: items.length,
    item: { type: "message", id: "m1" },
  },
  { type: "response.completed", response: { usage: { input_tokens: 9, output_tokens: 4 } } },
];

type AnthropicEnd = { reason?: string; container?: string };

/** @returns the events of an answer of Anthropic that has these blocks, which `anthropicBlock` and others return. */
export const anthropicAnswer = (
  blocks: ((index: number) => unknown[])[],
  { reason = "end_turn", container }: AnthropicEnd = {},
): unknown[] => [
  {
    type: "message_start",
    message: {
      id: "msg",
      type: "message",
      role: "assistant",
      model: "claude",
      content: [],
      usage: { input_tokens: 9, output_tokens: 1 },
    },
  },
  ...blocks.flatMap((toEvents, index) => toEvents(index)),
  {
    type: "message_delta",
    delta: {
      stop_reason: reason,
      ...(container !== undefined && {
        container: { id: container, expires_at: "2026-12-01T00:00:00Z" },
      }),
    },
    usage: { output_tokens: 4 },
  },
  { type: "message_stop" },
];

export const anthropicText = (text: string) => (index: number) => [
  { type: "content_block_start", index, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index, delta: { type: "text_delta", text } },
  { type: "content_block_stop", index },
];

export const anthropicCall =
  (
    type: "server_tool_use" | "tool_use",
    { id, name, input }: { id: string; name: string; input: object },
  ) =>
  (index: number) => [
    { type: "content_block_start", index, content_block: { type, id, name, input: {} } },
    {
      type: "content_block_delta",
      index,
      delta: { type: "input_json_delta", partial_json: JSON.stringify(input) },
    },
    { type: "content_block_stop", index },
  ];

/** A block that comes as a whole, such as the result of a provider's tool. */
export const anthropicBlock = (content_block: object) => (index: number) => [
  { type: "content_block_start", index, content_block },
  { type: "content_block_stop", index },
];

/** What a search of Anthropic returns, to be sent back as it is. */
export const anthropicSearchResult = (tool_use_id: string, encrypted_content = "sealed-content") =>
  anthropicBlock({
    type: "web_search_tool_result",
    tool_use_id,
    content: [
      {
        type: "web_search_result",
        url: "https://tides.example/oban",
        title: "Tides in Oban",
        encrypted_content,
        page_age: null,
      },
    ],
  });

/** @returns the event of an answer of Google that has these parts. */
export const googleAnswer = (parts: object[]): unknown[] => [
  {
    candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 },
  },
];

/** An answer without calls. */
export const PLAIN_ANSWERS: Record<ToolProvider, unknown[]> = {
  openai: openAiAnswer("Fine."),
  anthropic: anthropicAnswer([anthropicText("Fine.")]),
  google: googleAnswer([{ text: "Fine." }]),
};
