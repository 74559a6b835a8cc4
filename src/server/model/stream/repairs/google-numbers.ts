import { isExactNumber, mayBeRounded, parseExactJson } from "@/lib/exact-json";
import { isRecord } from "@/lib/is-record";
import type { EventRepair } from "@/server/model/stream/event-reader";

/** Marks a text that is a number: a code point that Unicode keeps out of interchange. */
const MARK = "\uFDD3";
const MARKED_NUMBER = /"\uFDD3(-?\d[\d.eE+-]*)"/g;

/**
 * Gemini sends the arguments of calls as JSON, not as its text, so its client would round numbers of many digits:
 * they become marked texts, see `restoreNumbers`.
 */
export const createGoogleRepair = (): EventRepair => ({
  read: (data) => (mayBeRounded(data) ? [markNumbers(data)] : [data]),
  end: () => [],
});

const markNumbers = (data: string): string => {
  try {
    return JSON.stringify(markCalls(parseExactJson(data)));
  } catch {
    // Broken JSON, of which the client says so.
    return data;
  }
};

const markCalls = (value: unknown, isArgument = false): unknown => {
  if (isExactNumber(value)) return isArgument ? `${MARK}${value.rawJSON}` : value;
  if (Array.isArray(value)) return value.map((item) => markCalls(item, isArgument));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      markCalls(child, isArgument || key === "functionCall"),
    ]),
  );
};

/** Puts marked numbers of the text of arguments back. */
export const restoreNumbers = (input: string): string =>
  input.includes(MARK) ? input.replaceAll(MARKED_NUMBER, "$1") : input;

/** Converts a whole answer, or the list of chunks that is sent without `alt=sse`, to the data of a stream. */
export const readWholeContent = (body: unknown): readonly string[] | undefined => {
  const chunks = Array.isArray(body) ? (body as unknown[]) : [body];
  const isAnswer = chunks.every((chunk) => isRecord(chunk) && Array.isArray(chunk.candidates));
  if (!isAnswer || chunks.length === 0) return undefined;
  const repair = createGoogleRepair();
  return chunks.flatMap((chunk) => repair.read(JSON.stringify(chunk)));
};
