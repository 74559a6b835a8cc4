import type sax from "sax";
import {
  type CallBuilder,
  type CallSink,
  createCallBuilder,
  isRoot,
  StructureError,
} from "./call-builder";
import { createLeafReader, type TextKind } from "./leaf-reader";
import { findPlainTag } from "./plain-tag";
import { createSaxParser, describeSaxError, isInText, type SaxParser } from "./sax-parser";
import type { Shape } from "./value-shape";

/** Why a block cannot be read. */
export type BlockFault = {
  /** Index in the block. */
  offset: number;
  found: string;
  expected: string;
};

/** `rejected`: the XML is no block of calls. */
export type BlockState = "prolog" | "open" | "rejected" | "closed" | "malformed";

/** Size of one block in bytes, as of the arguments of one call. */
const MAX_BYTES = 1024 * 1024;
const CDATA_HINT = 'or another CDATA section ("]]>" in a text is written "]]]]><![CDATA[>")';

/** A block that is read. */
type Block = {
  builder: CallBuilder;
  parser: SaxParser;
  leafReader: ReturnType<typeof createLeafReader>;
  state: BlockState;
  fault: BlockFault | undefined;
  /** The closing tag of the text that is read. */
  leaf: string | undefined;
  /** Whether the parser is shown tags that were read without it. */
  isCatchingUp: boolean;
  bytes: number;
  /** Characters that were read. */
  offset: number;
  /** Characters that the parser has not seen, as they were read without it. */
  unseen: number;
  /** Where a fault has ended the block. */
  end: number | undefined;
};

/** Reads one block, in any pieces, and reports its calls as they arrive. */
export const createBlockReader = (findShape: (toolName: string) => Shape, sink: CallSink) => {
  const builder = createCallBuilder(findShape, sink);
  const block: Block = {
    builder,
    parser: createSaxParser(),
    leafReader: createLeafReader(builder.growText),
    state: "prolog",
    fault: undefined,
    leaf: undefined,
    isCatchingUp: false,
    bytes: 0,
    offset: 0,
    unseen: 0,
    end: undefined,
  };
  listen(block);
  return {
    state: (): BlockState => block.state,
    fault: (): BlockFault | undefined => (block.state === "malformed" ? block.fault : undefined),
    /** @returns what may end the text that is being read, in which a ">" is mostly none of a tag. */
    textEnd: (): string | undefined =>
      block.leaf === undefined ? undefined : block.leafReader.end(),
    /** Reads on. @returns the rest of the text, which is not part of the block. */
    write: (text: string): string => {
      const size = Buffer.byteLength(text);
      const left = MAX_BYTES - block.bytes;
      const allowed = size <= left ? text : keepStart(text, left);
      block.bytes += size;
      let rest = allowed;
      while (rest !== "" && isReading(block)) {
        rest = block.leaf === undefined ? readElements(block, rest) : readLeaf(block, rest);
      }
      if (allowed !== text) stop(block, "more than 1 MB", "a shorter block");
      return text.slice(allowed.length - Math.min(rest.length, allowed.length));
    },
    /** Ends a block whose end has not come. */
    end: (): void => stop(block, "the end of the answer", builder.describeNext()),
  };
};

const isReading = ({ state }: Block): boolean => state === "prolog" || state === "open";
const position = ({ unseen, parser }: Block): number => unseen + parser.position;
const tagStart = ({ unseen, parser }: Block): number => unseen + parser.startTagPosition - 1;

const fail = (block: Block, fault: BlockFault, end = position(block)): void => {
  if (!isReading(block)) return;
  // A document type is refused when the root is known: other XML is no block.
  block.fault ??= fault;
  if (block.state === "prolog") return;
  block.state = "malformed";
  block.end = end;
};

/** Ends a block that is not complete. */
const stop = (block: Block, found: string, expected: string): void => {
  if (block.state === "prolog") block.state = "rejected";
  fail(block, { offset: block.offset, found, expected }, block.offset);
};

const refuse = (block: Block, found: string): void => {
  const offset = Math.max(position(block) - 1, 0);
  fail(block, { offset, found, expected: block.builder.describeNext() });
};

/** Builds calls from an event of the parser. */
const handle = (block: Block, body: () => void, findOffset = tagStart): void => {
  if (block.state !== "open") return;
  try {
    body();
  } catch (error) {
    if (!(error instanceof StructureError)) throw error;
    const { found, expected } = error;
    fail(block, { offset: Math.max(findOffset(block), 0), found, expected });
  }
};

const listen = (block: Block): void => {
  const { parser, builder } = block;
  parser.onopentag = (tag) => handleTag(block, tag as sax.Tag);
  parser.onclosetag = () =>
    handle(block, () => {
      if (builder.close()) block.state = "closed";
    });
  parser.ontext = (text) =>
    handle(
      block,
      () => builder.addText(text, false),
      () => tagStart(block) - text.trimStart().length,
    );
  parser.oncdata = (text) =>
    handle(
      block,
      () => builder.addText(text, true),
      () => position(block) - text.length - "]]>".length,
    );
  parser.ondoctype = () => refuse(block, "a document type");
  parser.onsgmldeclaration = () => refuse(block, "a declaration");
  parser.onprocessinginstruction = () => refuse(block, "a processing instruction");
  parser.onerror = ({ message }) => {
    if (block.state === "prolog") block.state = "rejected";
    refuse(block, describeSaxError(message));
  };
};

const handleTag = (block: Block, tag: sax.Tag): void => {
  if (block.isCatchingUp) return;
  if (block.state === "prolog") {
    block.state = isRoot(tag) ? "open" : "rejected";
    if (block.fault) fail(block, block.fault);
  }
  handle(block, () => {
    const content = block.builder.open(tag);
    if (content !== "elements" && !tag.isSelfClosing) startLeaf(block, tag.name, content);
  });
};

const startLeaf = (block: Block, name: string, content: TextKind): void => {
  block.leaf = `</${name}>`;
  block.leafReader.start(name, content);
};

/** @returns whether the parser has seen the tag of the innermost element. */
const isSeen = ({ parser, builder }: Block): boolean => parser.tags.length === builder.depth();

/** Shows the parser the tags of open elements that were read without it. */
const catchUp = (block: Block): void => {
  if (isSeen(block)) return;
  const { parser, builder } = block;
  const { textNode } = parser;
  parser.textNode = "";
  block.isCatchingUp = true;
  for (let depth = parser.tags.length; depth < builder.depth(); depth++) {
    parser.write(`<${builder.element(depth)}>`);
  }
  block.isCatchingUp = false;
  parser.textNode = textNode;
};

/**
 * Reads a tag, and the text before it, without the parser: most of the work on a call with short texts would be the
 * parser's.
 *
 * @returns the number of characters that were read; 0 if the parser is to read them.
 */
const readPlainTag = (block: Block, text: string): number => {
  const { parser, builder, offset } = block;
  if (block.state !== "open" || !isInText(parser)) return 0;
  const found = findPlainTag(text);
  if (!found) return 0;
  const { tag, closes, start, end } = found;
  if (closes !== undefined && (isSeen(block) || builder.element() !== closes)) return 0;
  const before = parser.textNode + text.slice(0, start);
  parser.textNode = "";
  block.offset = offset + end;
  block.unseen = block.offset - parser.position;
  // White space before a tag that opens an element is layout.
  if (closes !== undefined ? before !== "" : before.trim() !== "") {
    const findOffset = () => offset + start - before.trimStart().length;
    handle(block, () => builder.addText(before, false), findOffset);
  }
  handle(
    block,
    () => {
      if (!tag) return void builder.close();
      const content = builder.open(tag);
      if (content !== "elements") startLeaf(block, tag.name, content);
    },
    () => offset + start,
  );
  return end;
};

const MARKUP = /[<>&]/;

/** Reads elements up to the next tag. @returns the rest. */
const readElements = (block: Block, text: string): string => {
  const { parser, offset } = block;
  const plain = readPlainTag(block, text);
  if (plain > 0) return text.slice(plain);
  if (block.state === "open" && isInText(parser) && !MARKUP.test(text)) {
    parser.textNode += text;
    block.offset += text.length;
    return "";
  }
  const piece = text.slice(0, text.indexOf(">") + 1 || text.length);
  catchUp(block);
  block.unseen = offset - parser.position;
  try {
    parser.write(piece);
  } catch {
    // The parser throws for attributes named like its own methods, and when it is written to after an error.
    refuse(block, "an attribute that cannot be read");
    if (block.state === "prolog") block.state = "rejected";
  }
  const read = block.end === undefined ? piece.length : Math.max(block.end - offset, 0);
  block.offset += read;
  return text.slice(read);
};

/** Reads the content of a text. @returns the rest. */
const readLeaf = (block: Block, text: string): string => {
  const { parser, builder, leaf = "" } = block;
  const progress = block.leafReader.write(text);
  if (progress.type === "open") {
    block.offset += text.length;
    return "";
  }
  block.leaf = undefined;
  if (progress.type === "elements") {
    block.offset += text.length - progress.rest.length;
    return progress.rest;
  }
  const { index } = progress;
  const offset = block.offset + index;
  block.offset += Math.max(index, 0);
  if (progress.type === "malformed") {
    const { found } = progress;
    const hint = found.startsWith("<") ? "" : ` ${CDATA_HINT}`;
    fail(block, { offset, found, expected: `${builder.describeNext()}${hint}` }, offset);
    return text.slice(Math.max(index, 0));
  }
  builder.setLeaf(progress.leaf);
  if (isSeen(block)) {
    block.unseen = offset - leaf.length - parser.position;
    parser.write(leaf);
  } else {
    block.unseen = offset - parser.position;
    handle(
      block,
      () => builder.close(),
      () => offset - leaf.length,
    );
  }
  return text.slice(index);
};

/** @returns the start of a text that has at most this many bytes. */
const keepStart = (text: string, bytes: number): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, bytes), {
    stream: true,
  });
