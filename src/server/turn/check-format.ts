import { validateJson, type JsonValue } from "@/contract/json";
import { MAX_OUTPUT_DEPTH } from "@/contract/limits";
import type { FieldError } from "@/contract/problem";
import type { ResponseFormat } from "@/contract/response-format";
import { tryParseJson } from "@/lib/exact-json";
import type { ChatRow, FormatCheck, HistoryMessage, PartRow } from "@/server/db/chats/rows";
import { toViewer } from "@/server/db/chats/viewer";
import { tryValidateValues } from "@/server/tools/validation/validate-values";
import { findFormat } from "./turn-parameters";

/** Errors that are stored and told to the model: as many as it can repair at once. */
const MAX_ERRORS = 20;

/**
 * Checks an answer that may be the last of its turn by the format that the message of the turn asks for.
 *
 * @returns null if there is nothing to check: no format, or an answer with calls.
 * @throws {Error} when no thread can be started.
 */
export const checkFormat = async (
  chat: ChatRow,
  history: readonly HistoryMessage[],
  parts: readonly PartRow[],
): Promise<FormatCheck | null> => {
  const format = findFormat(chat.turnId, history);
  const hasCalls = parts.some((part) => part.type === "tool_call" && part.kind !== "provider");
  if (!format || hasCalls) return null;
  const value = readAnswer(parts);
  if (value === undefined) return { errors: [{ pointer: "", message: "is not JSON" }] };
  const errors = await findErrors(format, value, toViewer(chat).userId);
  return errors.length === 0 ? { value } : { errors: errors.slice(0, MAX_ERRORS) };
};

const findErrors = async (
  { schema }: ResponseFormat,
  value: JsonValue,
  userId: string,
): Promise<FieldError[]> => {
  const unstorable = validateJson(value, MAX_OUTPUT_DEPTH);
  if (unstorable !== undefined) return [{ pointer: "", message: unstorable }];
  const [errors] = await tryValidateValues([{ schema, value }], userId);
  return errors ?? [{ pointer: "", message: "could not be checked in time" }];
};

const FENCE = "```";

/** Models often put JSON into a block of code. */
const unwrap = (text: string): string => {
  const firstEnd = text.indexOf("\n");
  const isFenced = text.startsWith(FENCE) && text.endsWith(FENCE) && firstEnd > 0;
  return isFenced ? text.slice(firstEnd, -FENCE.length) : text;
};

/** @returns undefined for what is no JSON. */
const readAnswer = (parts: readonly PartRow[]): JsonValue | undefined => {
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  return tryParseJson(unwrap(text.trim())) as JsonValue | undefined;
};
