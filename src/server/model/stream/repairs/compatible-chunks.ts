import { isRecord } from "@/lib/is-record";
import type { EventRepair } from "@/server/model/stream/event-reader";
import { findServerText } from "@/server/model/server-text";
import { createCallRepair } from "./compatible-calls";
import { createThinkSplitter } from "./think-tags";
import {
  createFieldEditor,
  type FieldEditor,
  type Fields,
  keepBroken,
  keepNumbers,
  parseFields,
  toNumber,
  toText,
} from "./fields";

const DONE = "[DONE]";
/** As a status: the server has a problem, and another try may help. */
const SERVER_ERROR = 500;
const ENDED_WITH_ERROR = "The server ended its answer with an error.";

/**
 * Creates the repairs of an answer of a server that is compatible with OpenAI:
 *
 * - An event that is no chunk, such as a ping, is skipped; errors of any form become those of OpenAI.
 * - Fields that the client checks have the types that it expects, or are left out: ids, roles, texts, usage.
 * - Reasoning in tags at the start of the answer becomes reasoning.
 * - Calls, see `createCallRepair`.
 * - `[DONE]`, or the usage, ends an answer without a reason for its end.
 * - The reason "error" is an error.
 */
export const createChunkRepair = (): EventRepair => {
  /** Created for the first call. */
  let calls: ReturnType<typeof createCallRepair> | undefined;
  const thoughts = createThinkSplitter();
  let hasFinished = false;
  let mayEnd = false;

  const readChoice = (editor: FieldEditor, choice: Fields): void => {
    if (!isRecord(choice.delta) && isRecord(choice.message))
      editor.set(choice, "delta", choice.message);
    if (choice.finish_reason === "") editor.set(choice, "finish_reason", null);
    editor.convert(choice, "finish_reason", toText);
    hasFinished ||= typeof choice.finish_reason === "string";
    const delta = isRecord(choice.delta) ? choice.delta : {};
    if (delta !== choice.delta) editor.set(choice, "delta", delta);
    readDelta(editor, delta);
    splitThought(editor, delta);
    if (delta.tool_calls) calls ??= createCallRepair();
    calls?.read(editor, delta, hasFinished);
  };

  const splitThought = (editor: FieldEditor, delta: Fields): void => {
    const { content, reasoning_content, reasoning, tool_calls } = delta;
    const hasCalls = Array.isArray(tool_calls) && tool_calls.length > 0;
    if (reasoning_content || reasoning || hasCalls) thoughts.skip();
    const split = thoughts.read(typeof content === "string" ? content : "");
    const rest = hasFinished ? thoughts.end() : { reasoning: "", text: "" };
    const text = split.text + rest.text;
    const thought = split.reasoning + rest.reasoning;
    if (text !== (content ?? "") && !Array.isArray(content)) editor.set(delta, "content", text);
    if (thought !== "") editor.set(delta, "reasoning_content", thought);
  };

  return {
    read: (data) => {
      mayEnd ||= data === DONE;
      if (data === DONE) return [];
      const chunk = parseFields(data);
      if (!chunk) return keepBroken(data);
      const error = findChunkError(chunk);
      if (error) return [JSON.stringify({ error })];
      if (!("choices" in chunk || isRecord(chunk.usage))) return [];
      const editor = createFieldEditor();
      const [choice] = readEnvelope(editor, chunk);
      mayEnd ||= chunk.usage !== undefined && chunk.usage !== null;
      if (choice) readChoice(editor, choice);
      return [editor.hasChanged ? JSON.stringify(chunk) : data];
    },
    isSettled: thoughts.isText,
    end: () => {
      if (hasFinished || !mayEnd) return [];
      const reason = calls?.hasCalls() ? "tool_calls" : "stop";
      const { reasoning, text } = thoughts.end();
      const delta = {
        content: text,
        reasoning_content: reasoning,
        tool_calls: calls?.flush() ?? [],
      };
      return [JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })];
    },
  };
};

/**
 * Converts a whole answer to the data of a stream.
 *
 * @returns undefined for what is no answer.
 */
export const readWholeCompletion = (body: unknown): readonly string[] | undefined => {
  if (!isRecord(body)) return undefined;
  const [choice] = Array.isArray(body.choices) ? body.choices.filter(isRecord) : [];
  if (!choice || !isRecord(choice.message)) return undefined;
  const { message } = choice;
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isRecord) : [];
  const delta = { ...message, tool_calls: calls.map((call, index) => ({ ...call, index })) };
  const chunk = { ...body, choices: [{ ...choice, delta, message: undefined }] };
  const repair = createChunkRepair();
  return [...repair.read(JSON.stringify(chunk)), ...repair.read(DONE), ...repair.end()];
};

/** @returns the error that a chunk, or its choice, tells in any form. */
const findChunkError = (chunk: Fields): Fields | undefined => {
  const [choice] = Array.isArray(chunk.choices) ? chunk.choices.filter(isRecord) : [];
  const error = chunk.error ?? choice?.error ?? undefined;
  const isError = [choice?.finish_reason, chunk.object, chunk.type].includes("error");
  return error !== undefined || isError ? toChunkError(error ?? chunk) : undefined;
};

const toChunkError = (error: unknown): Fields => {
  const { type, code } = isRecord(error) ? error : {};
  return {
    message: findServerText(error) ?? ENDED_WITH_ERROR,
    code: toText(code) ?? SERVER_ERROR,
    type: toText(type),
  };
};

/** @returns the choices; the client reads the first. */
const readEnvelope = (editor: FieldEditor, chunk: Fields): Fields[] => {
  editor.convert(chunk, "id", toText);
  editor.convert(chunk, "model", toText);
  editor.convert(chunk, "created", toNumber);
  const { choices, usage } = chunk;
  if (isRecord(usage)) keepNumbers(editor, usage);
  else if (usage !== null) editor.set(chunk, "usage", undefined);
  const list = Array.isArray(choices) ? choices.filter(isRecord) : [];
  if (!Array.isArray(choices) || list.length !== choices.length) editor.set(chunk, "choices", list);
  return list;
};

/** The role is not read. */
const readDelta = (editor: FieldEditor, delta: Fields): void => {
  if (delta.role !== "assistant" && delta.role !== "") editor.set(delta, "role", undefined);
  editor.convert(delta, "content", toContent);
  for (const key of ["reasoning_content", "reasoning"]) {
    editor.convert(delta, key, (value) => (typeof value === "string" ? value : undefined));
  }
};

/** A text, or a list of parts that say what they are. */
const toContent = (content: unknown): unknown => {
  if (!Array.isArray(content)) return toText(content);
  const isRight = content.every((part) => isRecord(part) && typeof part.type === "string");
  return isRight ? content : content.filter((part) => isRecord(part) && part.type);
};
