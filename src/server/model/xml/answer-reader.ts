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
/** A line that begins like a fence and is short enough for one, or the start of such a line at the end of a text. */
const FENCE_LINE =
  /^ {0,3}(?:(?:`{3}|~{3})[^\n]{0,200}\n|(?:`{0,2}|~{0,2}|(?:`{3}|~{3})[^\n]{0,200})(?![^]))/gm;
/** The start of a block of code; a line of code in backticks is none. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})\s*(\S*)/;
/** The first call, if nothing but its root comes before it, at the beginning of a block. */
const FIRST_CALL =
  /^\s*(?:<tools(?:\s[^<>]*)?>\s*)?<tool\s(?:[^<>]*\s)?name\s*=\s*["']([^"'<>&]+)["'][^<>]*>/;
const MAX_HEAD = 1_000;
/** Where CDATA begins and ends, and what may be the end of a fence. */
const MARK = /<!\[CDATA\[|\]\]>|(?:(?<!`)`{3,}|(?<!~)~{3,})[^\S\n]*\n/g;
/** The end of a root, or of its last call where that of the root is missing. */
const ROOT_END = /(?:<\/tools?\s*|<tools?(?:\s[^<>]*)?\/)>$/;

/** Reads an answer, in any pieces: text, which is passed on at once, and the blocks of calls in it. */
export const createAnswerReader = (findShape: (toolName: string) => Shape, sink: AnswerSink) => {
  const answer: Answer = { findShape, sink, fence: "", held: "", isInLine: false };
  return {
    push: (text: string): void => push(answer, text),
    /** Ends the answer. @returns whether its end has cut a block. */
    end: (): boolean => end(answer),
  };
};

type Answer = {
  findShape: (toolName: string) => Shape;
  sink: AnswerSink;
  /** The marks that opened the block of code that the text is in; "" for none. */
  fence: string;
  /** The start of a line that may belong to a fence. */
  held: string;
  /** The start of the line has been passed on. */
  isInLine: boolean;
  /** The block of code, if it may be one of calls. */
  block?: Block | undefined;
};

type Block = {
  /** The line of its fence. */
  opening: string;
  /** Its start, until it has shown the name of its first tool. */
  head: string | undefined;
  /** Its whole lines, and the start of the next one. */
  xml: string;
  line: string;
  /** The last line that is not blank. */
  lastLine: string;
  isInCdata: boolean;
};

const push = (answer: Answer, text: string): void => {
  let rest = text;
  while (rest !== "") {
    rest = answer.block ? readInBlock(answer, answer.block, rest) : readText(answer, rest);
  }
};

const end = (answer: Answer): boolean => {
  const { block, held, fence } = answer;
  if (!block) {
    if (held !== "") answer.sink.text(held);
    return false;
  }
  if (block.head !== undefined && !isCall(block.head, true)) {
    push(answer, releaseBlock(answer, block));
    return end(answer);
  }
  const mark = findEnd(block, fence, `${block.line}\n`);
  const found = mark ? "the end of the block" : "the end of the answer";
  const fault = endBlock(answer, block.xml + block.line.slice(0, mark?.index), found);
  return !mark && fault === found;
};

/** Reads up to the end of the next line that may be a fence. @returns what follows it. */
const readText = (answer: Answer, part: string): string => {
  const text = answer.held + part;
  FENCE_LINE.lastIndex = answer.isInLine ? text.indexOf("\n") + 1 || text.length : 0;
  const found = FENCE_LINE.exec(text);
  const { 0: line, index } = found ?? { 0: "", index: text.length };
  if (index > 0) answer.sink.text(text.slice(0, index));
  const isWhole = line.endsWith("\n");
  answer.held = isWhole ? "" : line;
  answer.isInLine = !found;
  if (isWhole) readFence(answer, line);
  return text.slice(index + line.length);
};

const readFence = (answer: Answer, line: string): void => {
  const [, marks = "", language = ""] = FENCE.exec(line) ?? [];
  const isOpening = answer.fence === "";
  if (isOpening) answer.fence = marks;
  else if (language === "" && marks.startsWith(answer.fence)) answer.fence = "";
  if (isOpening && language.toLowerCase() === "xml") {
    answer.block = { opening: line, head: "", xml: "", line: "", lastLine: "", isInCdata: false };
  } else answer.sink.text(line);
};

/** Reads up to the end of a block. @returns what is not read: what follows, or all that is no block of calls. */
const readInBlock = (answer: Answer, block: Block, part: string): string => {
  if (block.head !== undefined) {
    const head = block.head + part;
    const isOfCalls = isCall(head);
    if (isOfCalls === false) return releaseBlock(answer, block) + part;
    const [, toolName] = (isOfCalls ? FIRST_CALL.exec(head.slice(0, MAX_HEAD)) : null) ?? [];
    if (toolName !== undefined) answer.sink.startBlock(toolName.trim());
    block.head = toolName === undefined && head.length < MAX_HEAD ? head : undefined;
  }
  const end = part.lastIndexOf("\n") + 1;
  if (end > 0) {
    const { line } = block;
    const lines = line + part.slice(0, end);
    const mark = findEnd(block, answer.fence, lines);
    if (mark) {
      endBlock(answer, block.xml + lines.slice(0, mark.index), "the end of the block");
      return part.slice(mark.index + mark[0].length - line.length);
    }
    // What follows on a block that is too long is not needed.
    if (block.xml.length <= MAX_BYTES) block.xml += lines;
    block.line = "";
  }
  if (block.line.length < MAX_LINE) block.line += part.slice(end);
  return "";
};

/** Stops reading a block, which is text. @returns what it has. */
const releaseBlock = (answer: Answer, { opening, xml, line }: Block): string => {
  answer.block = undefined;
  answer.sink.text(opening);
  return xml + line;
};

/**
 * Finds the end of the fence after that of the root. Before that, and in CDATA, a line like it is part of a text.
 *
 * @param lines the next lines of the block.
 */
const findEnd = (block: Block, fence: string, lines: string) => {
  const readLastLine = (end?: number): string => {
    const text = lines.slice(0, end).trimEnd();
    return text.slice(text.lastIndexOf("\n") + 1) || block.lastLine;
  };
  for (const mark of lines.matchAll(MARK)) {
    const [text] = mark;
    if (text === "]]>" || text === "<![CDATA[") block.isInCdata = text !== "]]>";
    else if (block.isInCdata || !text.startsWith(fence)) continue;
    else if (ROOT_END.test(readLastLine(mark.index))) return mark;
  }
  block.lastLine = readLastLine();
  return undefined;
};

/** Reads a block that has ended. @returns what was found that cannot be read. */
const endBlock = (answer: Answer, whole: string, found: string): string | undefined => {
  const isTooLong = Buffer.byteLength(whole) > MAX_BYTES;
  const xml = isTooLong ? keepStart(whole, MAX_BYTES) : whole;
  const { calls, fault } = readBlock(xml, answer.findShape, isTooLong ? TOO_LONG : { found });
  answer.block = undefined;
  answer.fence = "";
  answer.sink.endBlock({ calls, ...(fault && { fault: { ...fault, xml } }) });
  return fault?.found;
};
