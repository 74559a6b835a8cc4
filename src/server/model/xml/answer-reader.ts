import type { JsonObject } from "@/contract/json";
import { type BlockFault, createBlockReader } from "./block-reader";
import { couldBeFence, type Fence, isClosing, parseFence, readTail } from "./fences";
import { collect, createUnread, expectElements, expectText, take, type Unread } from "./unread";
import type { Shape } from "./value-shape";

export type OpenedCall = {
  /** Counts the calls of the answer. */
  key: number;
  toolName: string;
  /** Undefined for a call that is not complete. */
  args?: JsonObject;
};

export type ReadBlock = {
  calls: OpenedCall[];
  /** Why nothing of the block may run, with the XML as it was written. */
  fault?: BlockFault & { xml: string };
};

/** Receives what an answer says, in order. */
export type AnswerSink = {
  text: (text: string) => void;
  openCall: (key: number, toolName: string) => void;
  /** Receives arguments as JSON while they arrive. */
  growCall: (key: number, json: string) => void;
  closeCall: (key: number) => void;
  endBlock: (block: ReadBlock) => void;
};

/** In text, in a block, after its root, or after a fault in it. */
type Place = "text" | "block" | "tail" | "skip";

/** An answer that is read. */
type Answer = {
  sink: AnswerSink;
  findShape: (toolName: string) => Shape;
  place: Place;
  /** The fence that the text, or the block, is in. */
  fence: Fence | undefined;
  /** The start of a line that may belong to a fence; undefined in the middle of other lines. */
  line: string | undefined;
  /** Calls of the answer so far. */
  count: number;
  block: OpenBlock;
};

type OpenBlock = {
  reader: ReturnType<typeof createBlockReader>;
  calls: OpenedCall[];
  /** The line that opened it. */
  opening: string;
  /** What was read, which may be more than the block. */
  pieces: string[];
  /** Characters of the block that were read. */
  length: number;
  unread: Unread;
  /** What was skipped after its root, or after a fault. */
  skipped: string;
  /** What follows its root. */
  tail: string;
  fault: BlockFault | undefined;
};

/** The start of a block whose root has not come completely. */
const ROOT_START = /<tools?(?:\s[^<>]*)?$/;

/** Reads an answer, in any pieces: text, and the blocks of calls in it. */
export const createAnswerReader = (findShape: Answer["findShape"], sink: AnswerSink) => {
  const start = { sink, findShape, place: "text" as const, fence: undefined, line: "", count: 0 };
  const answer: Answer = Object.assign(start, { block: createBlock(start, "") });
  return {
    push: (text: string): void => push(answer, text),
    /** Ends the answer. @returns whether its end has cut a block. */
    end: (): boolean => end(answer),
  };
};

const createBlock = (
  answer: Pick<Answer, "sink" | "findShape" | "count">,
  opening: string,
): OpenBlock => {
  const { sink, findShape } = answer;
  const calls: OpenedCall[] = [];
  const reader = createBlockReader(findShape, {
    open: (toolName) => {
      const key = answer.count++;
      calls.push({ key, toolName });
      sink.openCall(key, toolName);
    },
    grow: (json) => sink.growCall(answer.count - 1, json),
    close: (args) => {
      Object.assign(calls.at(-1) ?? {}, { args });
      sink.closeCall(answer.count - 1);
    },
  });
  const nothing = { pieces: [], length: 0, skipped: "", tail: "", fault: undefined };
  return { reader, calls, opening, unread: createUnread(), ...nothing };
};

/** The block as it was written. */
const writeXml = ({ pieces, length, skipped }: OpenBlock): string =>
  pieces.join("").slice(0, length) + skipped;

const push = (answer: Answer, text: string): void => {
  let rest = text;
  while (rest !== "") rest = READ[answer.place](answer, rest);
};

const end = (answer: Answer): boolean => {
  if (answer.place === "block") push(answer, readBlock(answer, answer.block.unread.text.length));
  const isCut = answer.place === "block" && endInBlock(answer);
  if (answer.place === "tail" || answer.place === "skip") endBlock(answer);
  else if (answer.line) answer.sink.text(answer.line);
  return isCut;
};

const readText = (answer: Answer, text: string): string => {
  const [part, rest] = splitLine(text);
  const isWhole = part.endsWith("\n");
  const line = (answer.line ?? "") + part;
  if (answer.line === undefined || !couldBeFence(line)) {
    answer.line = isWhole ? "" : undefined;
    answer.sink.text(line);
    return rest;
  }
  answer.line = isWhole ? "" : line;
  if (isWhole) readFenceLine(answer, line);
  return rest;
};

/** Reads a whole line that begins like a fence. */
const readFenceLine = (answer: Answer, line: string): void => {
  const found = parseFence(line);
  if (answer.fence) {
    if (found && isClosing(found, answer.fence)) answer.fence = undefined;
  } else if (found) {
    answer.fence = found;
    if (found.language === "xml") {
      answer.place = "block";
      answer.block = createBlock(answer, line);
      return;
    }
  }
  answer.sink.text(line);
};

const readInBlock = (answer: Answer, piece: string): string => {
  const length = collect(answer.block.unread, piece);
  return length === 0 ? "" : readBlock(answer, length);
};

/** Reads this much of what has come of a block. @returns the text after the block. */
const readBlock = (answer: Answer, length: number): string => {
  const { block } = answer;
  const text = take(block.unread, length);
  const after = block.reader.write(text);
  block.pieces.push(text);
  block.length += length - after.length;
  const state = block.reader.state();
  switch (state) {
    case "prolog":
    case "open":
      expectNext(block, state === "open");
      return "";
    case "closed":
      answer.place = "tail";
      return after + block.unread.text;
    case "malformed":
      startSkip(answer, block.reader.fault());
      return after + block.unread.text;
    case "rejected":
      answer.place = "text";
      answer.sink.text(block.opening);
      return block.pieces.join("") + block.unread.text;
  }
};

const expectNext = ({ reader, unread }: OpenBlock, hasRoot: boolean): void => {
  const textEnd = reader.textEnd();
  if (textEnd === undefined) expectElements(unread, hasRoot);
  else expectText(unread, textEnd);
};

const readAfterRoot = (answer: Answer, text: string): string => {
  const { block, fence } = answer;
  block.tail += text;
  const found = fence && readTail(block.tail, fence);
  if (found?.type === "closed") {
    endBlock(answer);
    return found.rest;
  }
  if (found?.type === "open") return "";
  const start = block.tail.length - block.tail.trimStart().length;
  block.skipped += block.tail.slice(0, start);
  startSkip(answer, {
    offset: block.length + block.skipped.length,
    found: "text after the root",
    expected: "the end of the block: a block has one root, and <tools> holds several tools",
  });
  return block.tail.slice(start);
};

const startSkip = (answer: Answer, fault: BlockFault | undefined): void => {
  answer.place = "skip";
  answer.block.fault = fault;
  answer.line = writeXml(answer.block).endsWith("\n") ? "" : undefined;
};

/** Reads to the end of the fence of a block that cannot be read. */
const skip = (answer: Answer, text: string): string => {
  const [part, rest] = splitLine(text);
  const isWhole = part.endsWith("\n");
  const line = (answer.line ?? "") + part;
  const canBeFence = answer.line !== undefined && couldBeFence(line);
  if (canBeFence && !isWhole) {
    answer.line = line;
    return rest;
  }
  const found = canBeFence ? parseFence(line) : undefined;
  if (found && answer.fence && isClosing(found, answer.fence)) endBlock(answer);
  else {
    answer.block.skipped += line;
    answer.line = isWhole ? "" : undefined;
  }
  return rest;
};

const READ: Record<Place, (answer: Answer, text: string) => string> = {
  text: readText,
  block: readInBlock,
  tail: readAfterRoot,
  skip,
};

const endBlock = (answer: Answer): void => {
  const { calls, fault } = answer.block;
  answer.place = "text";
  answer.line = "";
  answer.fence = undefined;
  answer.sink.endBlock({
    calls,
    ...(fault && { fault: { ...fault, xml: writeXml(answer.block) } }),
  });
};

/** Ends an answer within a fence. @returns whether it was that of a block. */
const endInBlock = (answer: Answer): boolean => {
  const { block, sink } = answer;
  block.reader.end();
  const xml = writeXml(block);
  if (block.reader.state() === "rejected" && !ROOT_START.test(xml)) {
    answer.place = "text";
    sink.text(block.opening);
    push(answer, xml);
    return false;
  }
  block.fault = block.reader.fault() ?? {
    offset: xml.length,
    found: "the end of the answer",
    expected: '<tools> or <tool name="…">',
  };
  endBlock(answer);
  return true;
};

/** @returns the first line with its end, or all if it has none, and the rest. */
const splitLine = (text: string): [line: string, rest: string] => {
  const end = text.indexOf("\n") + 1 || text.length;
  return [text.slice(0, end), text.slice(end)];
};
