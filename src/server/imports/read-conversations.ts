import { Tokenizer, TokenParser } from "@streamparser/json";
import { DomainError, isUnavailable } from "@/contract/domain-error";
import { parseExactNumber } from "@/lib/exact-json";
import { isRecord } from "@/lib/is-record";
import { toReason } from "./archive";

/** A conversation as its document has it, and how many bytes of the document are read after it. */
export type RawConversation = { value: unknown; readBytes: number };

/** Largest conversation, in bytes of its JSON: it is held in memory as a whole. */
const MAX_CONVERSATION_BYTES = 32 * 1024 * 1024;

/** Bytes that are parsed without letting others run: some milliseconds. */
const PIECE_BYTES = 32 * 1024;

/** Does not round numbers. */
class ExactTokenizer extends Tokenizer {
  override parseNumber(text: string): number {
    return parseExactNumber(text) as number;
  }
}

/**
 * Reads the conversations of a document one after the other: the elements of an array, those in the field `conversations` of
 * an object, or the object itself.
 *
 * @param onBroken called with a sentence where the document ends early: it is no JSON, or a conversation is too large.
 * @throws {DomainError} `unavailable` while the database is away.
 */
export async function* readConversations(
  content: AsyncIterable<Uint8Array>,
  onBroken: (reason: string) => void,
): AsyncGenerator<RawConversation, void, undefined> {
  try {
    yield* readAll(content);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    onBroken(`It is broken: ${error instanceof DomainError ? error.message : toReason(error)}.`);
  }
}

async function* readAll(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<RawConversation, void, undefined> {
  let parser: ReturnType<typeof createParser> | undefined;
  let readBytes = 0;
  let pending = 0;
  for await (const bytes of content) {
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      const piece = bytes.subarray(start, start + PIECE_BYTES);
      readBytes += piece.length;
      parser ??= createParser(piece);
      if (!parser) continue;
      const found = parser.write(piece);
      pending = found.length > 0 ? 0 : pending + piece.length;
      if (pending > MAX_CONVERSATION_BYTES) throw createTooLargeError();
      for (const value of found) yield { value, readBytes };
      await new Promise(setImmediate);
    }
  }
  if (!parser?.isEnded()) throw new Error("it ends before its end");
}

const createTooLargeError = (): DomainError =>
  new DomainError(
    "invalid",
    `a conversation has more than ${MAX_CONVERSATION_BYTES / 1024 / 1024} MB`,
  );

/** @returns undefined while there is only blank space. */
const createParser = (start: Uint8Array) => {
  const first = /[^\s\uFEFF]/.exec(Buffer.from(start).toString("utf8"))?.[0];
  if (first === undefined) return undefined;
  const isArray = first === "[";
  const found: unknown[] = [];
  const parser = new TokenParser({
    paths: isArray ? ["$.*"] : ["$"],
    // What was emitted is not kept.
    keepStack: !isArray,
  });
  parser.onValue = ({ value }) => {
    found.push(...(isArray ? [value] : unwrap(value)));
  };
  const tokenizer = new ExactTokenizer();
  tokenizer.onToken = parser.write.bind(parser);
  return {
    write: (piece: Uint8Array): unknown[] => {
      tokenizer.write(piece);
      return found.splice(0);
    },
    isEnded: () => parser.isEnded,
  };
};

const unwrap = (value: unknown): unknown[] =>
  isRecord(value) && Array.isArray(value.conversations) ? value.conversations : [value];
