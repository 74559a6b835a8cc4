import { isRecord } from "@/lib/is-record";
import { findServerText } from "@/server/model/server-text";
import type { EventRepair } from "@/server/model/stream/event-reader";
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

/** By which the events and parts of an item are counted. */
const INDEXES = ["output_index", "content_index", "summary_index", "sequence_number"];

/** Of a call. */
const STATUSES: unknown[] = ["in_progress", "completed", "incomplete"];

/**
 * Creates the repairs of an answer of OpenAI's Responses API, as gateways send it; the client refuses the whole answer for an
 * event of a known type that has another shape:
 *
 * - An event without a type, such as a ping, is skipped; errors of any form become those of OpenAI.
 * - Ids are texts, and indexes numbers. An item without an id gets one, and its events too.
 * - Arguments as objects become text, and usage that is missing or text is taken as it is.
 */
export const createResponsesRepair = (): EventRepair => {
  /** Ids of items by their indexes; the last one counts for what names none. */
  const ids = new Map<unknown, string>();
  let lastId = "";

  const readItem = (editor: FieldEditor, event: Fields, item: Fields): void => {
    const known = ids.get(event.output_index);
    editor.set(item, "id", toText(item.id) ?? known ?? `item_${ids.size}`);
    lastId = String(item.id);
    ids.set(event.output_index, lastId);
    if (item.type !== "function_call") return;
    editor.set(item, "call_id", toText(item.call_id) ?? lastId);
    editor.set(item, "name", toText(item.name) ?? "");
    editor.set(item, "arguments", toArguments(item.arguments));
    if (!STATUSES.includes(item.status)) editor.set(item, "status", "completed");
  };

  const readEvent = (editor: FieldEditor, event: Fields): void => {
    for (const key of INDEXES) editor.convert(event, key, toNumber);
    if (event.type === "response.failed")
      editor.set(event, "sequence_number", event.sequence_number ?? 0);
    const { item, response, annotation } = event;
    if (isRecord(response)) readResponse(editor, response);
    else if (isRecord(item)) readItem(editor, event, item);
    else if (isRecord(annotation)) readCitation(editor, annotation);
    else if (response === undefined) {
      editor.set(event, "item_id", toText(event.item_id) ?? ids.get(event.output_index) ?? lastId);
    }
    if ("delta" in event) editor.set(event, "delta", toText(event.delta) ?? "");
  };

  return {
    read: (data) => {
      const event = parseFields(data);
      if (!event) return keepBroken(data);
      const error = findError(event);
      if (error !== undefined) return [JSON.stringify(toErrorEvent(error))];
      if (typeof event.type !== "string") return [];
      const editor = createFieldEditor();
      readEvent(editor, event);
      return [editor.hasChanged ? JSON.stringify(event) : data];
    },
    end: () => [],
  };
};

/**
 * Converts a whole answer to the data of a stream.
 *
 * @returns undefined for what is no answer.
 */
export const readWholeResponse = (body: unknown): readonly string[] | undefined => {
  if (!isRecord(body) || !Array.isArray(body.output)) return undefined;
  const { status, output, ...response } = body;
  const repair = createResponsesRepair();
  return [
    { type: "response.created", response: { ...response } },
    ...output.filter(isRecord).flatMap((item, index) => toItemEvents(item, index)),
    { type: `response.${toText(status) ?? "completed"}`, response },
  ].flatMap((event) => repair.read(JSON.stringify(event)));
};

/** @returns the events of one item of a whole answer. */
const toItemEvents = (item: Fields, output_index: number): Fields[] => {
  const parts = [item.content, item.summary].flatMap(toList);
  return [
    { type: "response.output_item.added", output_index, item },
    ...parts.filter(isRecord).flatMap((part, index) => toPartEvents(part, { output_index, index })),
    { type: "response.output_item.done", output_index, item },
  ];
};

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

type Place = { output_index: number; index: number };

const toPartEvents = (part: Fields, { output_index, index }: Place): Fields[] => {
  const delta = part.text ?? part.refusal;
  switch (part.type) {
    case "output_text": {
      const type = "response.output_text.annotation.added";
      return [
        { type: "response.output_text.delta", output_index, delta },
        ...toList(part.annotations).map((annotation) => ({ type, output_index, annotation })),
      ];
    }
    case "refusal":
      return [{ type: "response.refusal.delta", output_index, delta }];
    case "summary_text": {
      const type = "response.reasoning_summary_text.delta";
      const place = { output_index, summary_index: index };
      const start = { type: "response.reasoning_summary_part.added", ...place };
      return [...(index > 0 ? [start] : []), { type, ...place, delta }];
    }
    default:
      return [];
  }
};

/** @returns the error of an event, in whatever form. */
const findError = (event: Fields): unknown => {
  const { type, response, error } = event;
  if (type === "response.failed") return isRecord(response) ? (response.error ?? undefined) : {};
  return type === "error" || type === undefined ? (error ?? (type && event)) : undefined;
};

const toErrorEvent = (error: unknown): Fields => {
  const { code, type, param } = isRecord(error) ? error : {};
  return {
    type: "error",
    sequence_number: 0,
    code: toText(code) ?? toText(type),
    message: findServerText(error) ?? "The server reported an error.",
    param: toText(param),
  };
};

const readResponse = (editor: FieldEditor, response: Fields): void => {
  for (const key of ["id", "model"]) editor.set(response, key, toText(response[key]) ?? "");
  editor.set(response, "created_at", toNumber(response.created_at) ?? 0);
  const { usage } = response;
  if (usage === undefined || usage === null) return;
  if (!isRecord(usage)) return editor.set(response, "usage", undefined);
  keepNumbers(editor, usage);
  for (const key of ["input_tokens", "output_tokens"]) editor.set(usage, key, usage[key] ?? 0);
};

const readCitation = (editor: FieldEditor, citation: Fields): void => {
  if (citation.type !== "url_citation") return;
  editor.set(citation, "title", toText(citation.title) ?? citation.url);
  for (const key of ["start_index", "end_index"])
    editor.set(citation, key, toNumber(citation[key]) ?? 0);
};

const toArguments = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : (toText(value) ?? "");
