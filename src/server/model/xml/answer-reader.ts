import { readBlock, type ReadBlock } from "./block-reader";
import { hasWord, isCall, MAX_HEAD } from "./is-call";
import type { Shape } from "@/server/model/value-shape";

/** Receives what an answer says, in order. */
export type AnswerSink = {
  text: (text: string) => void;
  /** Receives the name of the first tool of a block, which is read when it is closed. */
  startBlock: (toolName: string) => void;
  endBlock: (block: ReadBlock) => void;
};

/** Characters of a block, and of a line of it, that are kept: more than are read. */
const MAX_KEPT = 2 * 1024 * 1024;
/** A line that begins like a fence and is short enough for one, or the start of such a line at the end of a text. */
const FENCE_LINE =
  /^ {0,3}(?:(?:`{3}|~{3})[^\n]{0,200}\n|(?:`{0,2}|~{0,2}|(?:`{3}|~{3})[^\n]{0,200})(?![^]))/gm;
/** The start of a block of code; a line of code in backticks is none. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})\s*(\S*)/;
/** The name of the first call, if nothing but its root comes before it; none while it may yet come. */
const FIRST_CALL =
  /^\s*(?:<tools(?:\s[^<>]*)?>\s*)?(?:<tool\s(?:[^<>]*\s)?name\s*=\s*["']([^"'<>&]+)["'][^<>]*>|(?:<\w*(?:\s[^<>]*)?)?$)/;
/** Where CDATA begins and ends, and what may be the end of a fence. */
const MARK = /<!\[CDATA\[|\]\]>|(?:(?<!`)`{3,}|(?<!~)~{3,})[^\S\n]*\n/g;
/** The end of a root, or of its last call where that of the root is missing. */
const ROOT_END = /(?:<\/tools?\s*|<tools?(?:\s[^<>]*)?\/)>$/;

type ReaderOptions = {
  findShape: (toolName: string) => Shape;
  /** What the root of a block of calls has; one without it is text. */
  word: string;
};

/** Reads an answer, in any pieces: text, which is passed on at once, and the blocks of calls in it. */
export const createAnswerReader = (options: ReaderOptions, sink: AnswerSink) => {
  const answer: Answer = {
    ...options,
    sink,
    fence: "",
    held: "",
    isInLine: false,
    hasEnded: false,
  };
  return {
    push: (text: string): void => read(answer, text),
    /** Ends the answer. @returns whether its end has cut a block. */
    end: (): boolean => end(answer),
    /** @returns the first tool of a block without the word, or "", if an answer without calls ends with it. */
    findUnmarked: (): string | undefined => (answer.hasCalls ? undefined : answer.unmarked),
  };
};

type Answer = ReaderOptions & {
  sink: AnswerSink;
  /** The marks that opened the block of code that the text is in; "" for none. */
  fence: string;
  /** The start of a line, or a fence and the start of its block, that cannot be read without what follows. */
  held: string;
  /** The start of the line has been passed on. */
  isInLine: boolean;
  hasEnded: boolean;
  hasCalls?: boolean;
  /** The first tool of the last block that looks like calls, while no text comes after it. */
  unmarked?: string | undefined;
  /** The block of calls that is not closed. */
  block?: Block | undefined;
};

type Block = {
  /** Its whole lines. */
  xml: string;
  /** The last line that is not blank. */
  lastLine: string;
  isInCdata: boolean;
};

const read = (answer: Answer, text: string): void => {
  let rest = text;
  while (rest !== "") {
    rest = answer.block ? readInBlock(answer, answer.block, rest) : readText(answer, rest);
  }
};

const end = (answer: Answer): boolean => {
  answer.hasEnded = true;
  if (!answer.block) read(answer, readText(answer, ""));
  const { block, held, fence } = answer;
  if (!block) {
    if (held !== "") writeText(answer, held);
    return false;
  }
  const mark = findEnd(block, fence, `${held}\n`);
  const isReadable = endBlock(answer, block.xml + held.slice(0, mark?.index), !mark);
  return !mark && !isReadable;
};

const writeText = (answer: Answer, text: string): void => {
  if (answer.fence === "" && text.trim() !== "") answer.unmarked = undefined;
  answer.sink.text(text);
};

/** Reads up to the end of the next line that may be a fence. @returns what follows it. */
const readText = (answer: Answer, part: string): string => {
  const text = answer.held + part;
  FENCE_LINE.lastIndex = answer.isInLine ? text.indexOf("\n") + 1 || text.length : 0;
  const found = FENCE_LINE.exec(text);
  const { 0: line, index } = found ?? { 0: "", index: text.length };
  if (index > 0) writeText(answer, text.slice(0, index));
  const isWhole = line.endsWith("\n");
  answer.held = isWhole ? "" : line;
  answer.isInLine = !found;
  return isWhole ? readFence(answer, line, text.slice(index + line.length)) : "";
};

/** @returns what follows; nothing while it is held. */
const readFence = (answer: Answer, line: string, rest: string): string => {
  const { fence } = answer;
  const [, marks = "", language = ""] = FENCE.exec(line) ?? [];
  if (fence === "") answer.unmarked = undefined;
  const isXml = fence === "" && language.toLowerCase() === "xml";
  const isOfCalls = isXml && startBlock(answer, rest);
  if (isOfCalls === undefined) {
    answer.held = line + rest;
    return "";
  }
  if (!isOfCalls) answer.sink.text(line);
  if (fence === "") answer.fence = marks;
  else if (language === "" && marks.startsWith(fence)) answer.fence = "";
  return rest;
};

/** Starts a block of calls. @returns whether it is one; undefined while this, or the name of its first tool, may follow. */
const startBlock = (answer: Answer, rest: string): boolean | undefined => {
  const { hasEnded, sink } = answer;
  const isOfCalls = isCall(rest, hasEnded);
  if (!isOfCalls) return isOfCalls;
  const first = FIRST_CALL.exec(rest.slice(0, MAX_HEAD));
  const toolName = first?.[1];
  if (first && toolName === undefined && rest.length < MAX_HEAD && !hasEnded) return undefined;
  if (!hasWord(rest, answer.word)) {
    answer.unmarked = toolName?.trim() ?? "";
    return false;
  }
  answer.hasCalls = true;
  answer.block = { xml: "", lastLine: "", isInCdata: false };
  if (toolName !== undefined) sink.startBlock(toolName.trim());
  return true;
};

/** Reads up to the end of a block. @returns what follows it. */
const readInBlock = (answer: Answer, block: Block, part: string): string => {
  const { held } = answer;
  const end = part.lastIndexOf("\n") + 1;
  if (end === 0) {
    if (held.length < MAX_KEPT) answer.held += part;
    return "";
  }
  const lines = held + part.slice(0, end);
  const mark = findEnd(block, answer.fence, lines);
  answer.held = mark ? "" : part.slice(end);
  if (!mark) {
    if (block.xml.length < MAX_KEPT) block.xml += lines;
    return "";
  }
  endBlock(answer, block.xml + lines.slice(0, mark.index));
  return part.slice(mark.index + mark[0].length - held.length);
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

/** Reads a block that has ended, maybe with the answer. @returns whether it can be read. */
const endBlock = (answer: Answer, xml: string, isCut = false): boolean => {
  const end = isCut ? "the end of the answer" : "the end of the block";
  const block = readBlock(xml, answer.findShape, end);
  answer.block = undefined;
  answer.fence = "";
  answer.sink.endBlock(block);
  return !block.fault;
};
