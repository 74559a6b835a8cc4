import { keepStart } from "@/lib/keep-start";
import { type BlockFault, readBlock, type XmlCall } from "./block-reader";
import { isCall } from "./is-call";
import type { Shape } from "./value-shape";

export type ReadBlock = {
  calls: XmlCall[];
  /** Why nothing of the block may run, with the XML as it was written. */
  fault?: BlockFault & { xml: string };
};

/** Receives what an answer says, in order. */
export type AnswerSink = {
  text: (text: string) => void;
  /** Receives the name of the first tool of a block, which is read when it is closed. */
  startBlock: (toolName: string) => void;
  endBlock: (block: ReadBlock) => void;
};

/** Size of one block in bytes, as of the arguments of one call. */
const MAX_BYTES = 1024 * 1024;
/** Characters of a line that are kept: a longer one is in a block that is too long. */
const MAX_LINE = 2 * MAX_BYTES;
const TOO_LONG = { found: "more than 1 MB", expected: "a shorter block" };
/** Longest line of a fence, in characters; a longer one is text. */
const MAX_FENCE = 200;
const FENCE_START = /^ {0,3}(?:`{0,2}|~{0,2}|(?:`{3}|~{3})[^\n]*\n?)$/;
/** The start of a block of code; a line of code in backticks is none. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})\s*(\S*)/;
/** The first call, if nothing but its root comes before it, at the beginning of a block. */
const FIRST_CALL =
  /^\s*(?:<tools(?:\s[^<>]*)?>\s*)?<tool\s(?:[^<>]*\s)?name\s*=\s*["']([^"'<>&]+)["'][^<>]*>/;
const MAX_HEAD = 1_000;
/** The end of a root, or of its last call where that of the root is missing. */
const ROOT_END = /(?:<\/tools?\s*|<tools?(?:\s[^<>]*)?\/)>$/;

type FindShape = (toolName: string) => Shape;

/** Reads an answer, in any pieces: text, which is passed on at once, and the blocks of calls in it. */
export const createAnswerReader = (findShape: FindShape, sink: AnswerSink) => {
  const answer = createAnswer(findShape, sink);
  return {
    push: (text: string): void => push(answer, text),
    /** Ends the answer. @returns whether its end has cut a block. */
    end: (): boolean => end(answer),
  };
};

type Answer = ReturnType<typeof createAnswer>;

const createAnswer = (findShape: FindShape, sink: AnswerSink) => ({
  findShape,
  sink,
  /** The marks that opened the block of code that the text is in; "" for none. */
  fence: "",
  /** The start of a line that may belong to a fence; undefined in the middle of other lines. */
  line: "" as string | undefined,
  /** The block of code, if it may be one of calls. */
  block: undefined as Block | undefined,
});

type Block = ReturnType<typeof createBlock>;

/** @param opening the line of its fence. */
const createBlock = (opening: string) => ({
  opening,
  xml: "",
  isCall: undefined as boolean | undefined,
  /** The sink has got a name, or gets none. */
  hasStarted: false,
  /** The start of a line. */
  line: "",
  /** The last line that is not blank. */
  lastLine: "",
  isInCdata: false,
});

const push = (answer: Answer, text: string): void => {
  for (const part of text.split(/(?<=\n)/)) {
    if (answer.block) readInBlock(answer, answer.block, part);
    else if (part !== "") readText(answer, part);
  }
};

const end = (answer: Answer): boolean => {
  const { block, line } = answer;
  if (block) readBlockLine(answer, block);
  else if (line) answer.sink.text(line);
  if (!block || !answer.block) return false;
  const found = "the end of the answer";
  if (isCall(block.xml, true)) return endBlock(answer, block, found) === found;
  releaseBlock(answer, block);
  return end(answer);
};

const readText = (answer: Answer, part: string): void => {
  const isWhole = part.endsWith("\n");
  const line = (answer.line ?? "") + part;
  const isHeld = answer.line !== undefined && line.length <= MAX_FENCE && FENCE_START.test(line);
  answer.line = isHeld ? line : undefined;
  if (isWhole) answer.line = "";
  if (!isHeld) answer.sink.text(line);
  else if (isWhole) readFenceLine(answer, line);
};

/** Reads a whole line that begins like a fence. */
const readFenceLine = (answer: Answer, line: string): void => {
  const [, marks = "", language] = FENCE.exec(line) ?? [];
  if (answer.fence !== "") {
    if (findBeforeClosing(line, answer.fence)?.trim() === "") answer.fence = "";
  } else {
    answer.fence = marks;
    if (language?.toLowerCase() === "xml") return void (answer.block = createBlock(line));
  }
  answer.sink.text(line);
};

/** @returns what a line has before the end of a block of code; undefined if there is none at its end. */
const findBeforeClosing = (line: string, fence: string): string | undefined => {
  const text = line.trimEnd();
  let start = text.length;
  while (start > 0 && text.charAt(start - 1) === fence.charAt(0)) start -= 1;
  return text.length - start >= fence.length ? text.slice(0, start) : undefined;
};

const readInBlock = (answer: Answer, block: Block, part: string): void => {
  // What follows on a block that is too long is not needed.
  if (block.xml.length <= MAX_BYTES) block.xml += part;
  if (block.line.length < MAX_LINE) block.line += part;
  block.isCall ??= isCall(block.xml);
  if (block.isCall === false) return releaseBlock(answer, block);
  const isNamed = block.isCall && !block.hasStarted && block.xml.length < MAX_HEAD;
  const [, toolName] = (isNamed ? FIRST_CALL.exec(block.xml) : null) ?? [];
  if (toolName !== undefined) answer.sink.startBlock(toolName.trim());
  block.hasStarted ||= toolName !== undefined;
  if (part.endsWith("\n")) readBlockLine(answer, block);
};

/** Passes a block on as text, which it is. */
const releaseBlock = (answer: Answer, { opening, xml }: Block): void => {
  answer.block = undefined;
  answer.sink.text(opening);
  push(answer, xml);
};

/**
 * Reads a whole line. A block ends with the end of its fence after that of its root; before that, and in CDATA, such
 * a line is part of a text.
 */
const readBlockLine = (answer: Answer, block: Block): void => {
  const { line } = block;
  block.line = "";
  const [start, end] = [line.lastIndexOf("<![CDATA["), line.lastIndexOf("]]>")];
  if (start !== end) block.isInCdata = start > end;
  const before = findBeforeClosing(line, answer.fence);
  block.lastLine = (before ?? line).trim() || block.lastLine;
  if (before === undefined || block.isInCdata || !ROOT_END.test(block.lastLine)) return;
  if (block.xml.length <= MAX_BYTES) block.xml = block.xml.slice(0, before.length - line.length);
  endBlock(answer, block, "the end of the block");
};

/** Reads a block that has ended. @returns what was found that cannot be read. */
const endBlock = (answer: Answer, block: Block, found: string): string | undefined => {
  const isTooLong = Buffer.byteLength(block.xml) > MAX_BYTES;
  const xml = isTooLong ? keepStart(block.xml, MAX_BYTES) : block.xml;
  const { calls, fault } = readBlock(xml, answer.findShape, isTooLong ? TOO_LONG : { found });
  answer.block = undefined;
  answer.fence = answer.line = "";
  answer.sink.endBlock({ calls, ...(fault && { fault: { ...fault, xml } }) });
  return fault?.found;
};
