import { isRecord } from "@/lib/is-record";
import { findServerText } from "@/server/model/server-text";
import type { EventRepair } from "@/server/model/stream/event-reader";
import {
  createFieldEditor,
  type FieldEditor,
  type Fields,
  keepBroken,
  parseFields,
  toNumber,
  toText,
} from "./fields";

/** The key of the text that a block may start with, and the delta that adds to it. */
const TEXTS: Record<string, { key: string; delta: string }> = {
  text: { key: "text", delta: "text_delta" },
  thinking: { key: "thinking", delta: "thinking_delta" },
};
const BLOCKS = new Set([
  ...Object.keys(TEXTS),
  "tool_use",
  "redacted_thinking",
  "compaction",
  "server_tool_use",
  "mcp_tool_use",
  "mcp_tool_result",
  "web_fetch_tool_result",
  "web_search_tool_result",
  "code_execution_tool_result",
  "bash_code_execution_tool_result",
  "text_editor_code_execution_tool_result",
  "tool_search_tool_result",
  "advisor_tool_result",
  "fallback",
]);
/** The text of each delta. */
const DELTAS: Record<string, string | undefined> = {
  text_delta: "text",
  thinking_delta: "thinking",
  input_json_delta: "partial_json",
  signature_delta: "signature",
  compaction_delta: undefined,
  citations_delta: undefined,
};

/**
 * Creates the repairs of an answer of Anthropic's protocol:
 *
 * - Events, blocks and deltas that the client does not know are skipped.
 * - A text in the start of a block, which the client does not read, becomes a delta.
 * - Usage that is missing, null or text is taken as it is; errors of any form become those of Anthropic.
 * - An answer whose reason for its end has come ends.
 */
export const createAnthropicRepair = (): EventRepair => {
  const skipped = new Set<unknown>();
  let hasReason = false;
  let hasStopped = false;
  return {
    read: (data) => {
      const event = parseFields(data);
      if (!event) return keepBroken(data);
      if (event.type === "error" || (event.type === undefined && event.error)) {
        return [JSON.stringify(toErrorEvent(event))];
      }
      const editor = createFieldEditor();
      editor.convert(event, "index", toNumber);
      const events = readEvent(editor, event, skipped);
      hasReason ||= isRecord(event.delta) && typeof event.delta.stop_reason === "string";
      hasStopped ||= event.type === "message_stop";
      const isSame = !editor.hasChanged && events.length === 1 && events[0] === event;
      return isSame ? [data] : events.map((one) => JSON.stringify(one));
    },
    end: () => (hasReason && !hasStopped ? [JSON.stringify({ type: "message_stop" })] : []),
  };
};

/**
 * Converts a whole answer to the data of a stream.
 *
 * @returns undefined for what is no answer.
 */
export const readWholeMessage = (body: unknown): readonly string[] | undefined => {
  if (!isRecord(body) || body.type !== "message" || !Array.isArray(body.content)) return undefined;
  const { content, stop_reason, stop_sequence, usage, ...message } = body;
  const repair = createAnthropicRepair();
  return [
    { type: "message_start", message: { ...message, content: [], usage } },
    ...content.filter(isRecord).flatMap((block, index) => toBlockEvents(block, index)),
    { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
    { type: "message_stop" },
  ].flatMap((event) => repair.read(JSON.stringify(event)));
};

/** @returns the events of one block of a whole answer. Texts in its start are repaired. */
const toBlockEvents = ({ input, signature, ...block }: Fields, index: number): Fields[] => {
  const deltas: Fields[] = [];
  if (signature !== undefined) deltas.push({ type: "signature_delta", signature });
  if (input !== undefined)
    deltas.push({ type: "input_json_delta", partial_json: JSON.stringify(input) });
  return [
    {
      type: "content_block_start",
      index,
      content_block: { ...block, ...(input !== undefined && { input: {} }) },
    },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
};

/** @param skipped indexes of blocks that the client does not know. */
const readEvent = (editor: FieldEditor, event: Fields, skipped: Set<unknown>): Fields[] => {
  switch (event.type) {
    case "message_start":
      readMessage(editor, event);
      return [event];
    case "content_block_start":
      return readStart(editor, event, skipped);
    case "content_block_delta":
      return skipped.has(event.index) || !readDelta(editor, event) ? [] : [event];
    case "content_block_stop":
      return skipped.has(event.index) ? [] : [event];
    case "message_delta":
      readEnd(editor, event);
      return [event];
    case "message_stop":
    case "ping":
      return [event];
    default:
      return [];
  }
};

const readStart = (editor: FieldEditor, event: Fields, skipped: Set<unknown>): Fields[] => {
  const block = isRecord(event.content_block) ? event.content_block : {};
  const type = toText(block.type) ?? "";
  if (!BLOCKS.has(type)) {
    skipped.add(event.index);
    return [];
  }
  // A gateway may number the blocks of several answers anew.
  skipped.delete(event.index);
  if (type === "tool_use") readToolUse(editor, block);
  const text = TEXTS[type];
  if (!text) return [event];
  const start = toText(block[text.key]) ?? "";
  editor.set(block, text.key, "");
  if (start === "") return [event];
  const delta = { type: text.delta, [text.key]: start };
  return [event, { type: "content_block_delta", index: event.index, delta }];
};

const toErrorEvent = (event: Fields): Fields => {
  const error = isRecord(event.error) ? event.error : {};
  const message = findServerText(event.error ?? event) ?? "The server reported an error.";
  return { type: "error", error: { ...error, type: toText(error.type) ?? "api_error", message } };
};

const readMessage = (editor: FieldEditor, event: Fields): void => {
  if (!isRecord(event.message)) editor.set(event, "message", {});
  const { message } = event;
  if (!isRecord(message)) return;
  for (const key of ["id", "model", "role", "stop_reason"]) editor.convert(message, key, toText);
  editor.convert(message, "content", (content) =>
    Array.isArray(content)
      ? content.filter((part) => isRecord(part) && part.type === "tool_use")
      : undefined,
  );
  readUsage(editor, message, "input_tokens");
};

const readEnd = (editor: FieldEditor, event: Fields): void => {
  if (!isRecord(event.delta)) editor.set(event, "delta", {});
  if (isRecord(event.delta)) {
    for (const key of ["stop_reason", "stop_sequence"]) editor.convert(event.delta, key, toText);
  }
  readUsage(editor, event, "output_tokens");
};

/** @param needed the count that the client cannot do without. */
const readUsage = (editor: FieldEditor, owner: Fields, needed: string): void => {
  if (!isRecord(owner.usage)) editor.set(owner, "usage", {});
  const { usage } = owner;
  if (!isRecord(usage)) return;
  for (const key of Object.keys(usage))
    if (key.endsWith("_tokens")) editor.convert(usage, key, toNumber);
  editor.set(usage, needed, usage[needed] ?? 0);
};

/** @returns whether the client knows the delta. */
const readDelta = (editor: FieldEditor, { delta }: Fields): boolean => {
  if (!isRecord(delta) || typeof delta.type !== "string" || !Object.hasOwn(DELTAS, delta.type)) {
    return false;
  }
  const key = DELTAS[delta.type];
  if (key !== undefined) editor.set(delta, key, toText(delta[key]) ?? "");
  return true;
};

const readToolUse = (editor: FieldEditor, block: Fields): void => {
  for (const key of ["id", "name"]) editor.set(block, key, toText(block[key]) ?? "");
  editor.convert(block, "input", (input) =>
    isRecord(input) ? input : typeof input === "string" ? parseFields(input) : undefined,
  );
  if (block.input === null) editor.set(block, "input", undefined);
};
