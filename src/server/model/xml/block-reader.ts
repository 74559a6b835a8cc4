import type sax from "sax";
import {
  type CallBuilder,
  type CallSink,
  createCallBuilder,
  isRoot,
  type Opened,
  StructureError,
} from "./call-builder";
import { createLeafReader } from "./leaf-reader";
import { createSaxParser, describeSaxError, isBetweenTags, type SaxParser } from "./sax-parser";
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
  /** Whether the parser knows the element of that text. */
  isLeafSeen: boolean;
  /** What an element holds that was opened before the parser sees its tag. */
  opened: Opened | undefined;
  bytes: number;
  /** Characters that were read. */
  offset: number;
  /** Characters that the parser has not seen, as they are the content of texts. */
  unseen: number;
  /** Where a fault has ended the block. */
  end: number | undefined;
};

/** Reads one block, in any pieces, and reports its calls as they arrive. */
export const createBlockReader = (findShape: (toolName: string) => Shape, sink: CallSink) => {
  const builder = createCallBuilder(findShape, sink);
  const block: Block = {
    ...{ builder, parser: createSaxParser(), leafReader: createLeafReader(builder.growText) },
    ...{ state: "prolog", fault: undefined, leaf: undefined },
    ...{ isLeafSeen: false, opened: undefined },
    ...{ bytes: 0, offset: 0, unseen: 0, end: undefined },
  };
  listen(block);
  return {
    state: (): BlockState => block.state,
    fault: (): BlockFault | undefined => (block.state === "malformed" ? block.fault : undefined),
    /** Whether the content of a text is being read, in which a ">" is mostly none of a tag. */
    isInText: (): boolean => block.leaf !== undefined,
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
  if (block.state === "prolog") {
    block.state = isRoot(tag) ? "open" : "rejected";
    if (block.fault) fail(block, block.fault);
  }
  handle(block, () => {
    const content = block.opened ?? block.builder.open(tag);
    if (content === "elements" || tag.isSelfClosing) return;
    startLeaf(block, tag.name, content);
    block.isLeafSeen = true;
  });
};

const startLeaf = (block: Block, name: string, content: Opened): void => {
  block.leaf = `</${name}>`;
  block.leafReader.start(name, content === "text or items");
};

const PLAIN_TAG = /^\s*<([A-Za-z_][\w.-]*)>$/;
const NO_ATTRIBUTES = Object.freeze({});

/**
 * Opens the element of a tag without attributes. The parser need not see it if it holds a text, nor its end: half of
 * the work on a call with short texts would be that.
 *
 * @returns whether the tag was read; false if the parser is to read it.
 */
const openPlain = (block: Block, piece: string): boolean => {
  if (block.state !== "open" || !isBetweenTags(block.parser)) return false;
  const name = PLAIN_TAG.exec(piece)?.[1];
  if (name === undefined) return false;
  const { parser, builder, offset } = block;
  // White space between elements, of which nothing is made.
  parser.textNode = "";
  const end = offset + piece.length;
  block.unseen = end - parser.position;
  handle(
    block,
    () => {
      const tag = { name, attributes: NO_ATTRIBUTES };
      block.opened = builder.open(tag);
    },
    () => end - name.length - "<>".length,
  );
  if (block.opened === "text") {
    startLeaf(block, name, block.opened);
    block.isLeafSeen = false;
  } else if (block.opened) {
    block.unseen -= name.length + "<>".length;
    parser.write(`<${name}>`);
  }
  block.opened = undefined;
  block.offset = end;
  return true;
};

/** Reads elements up to the next tag. @returns the rest. */
const readElements = (block: Block, text: string): string => {
  const { parser, offset } = block;
  const piece = text.slice(0, text.indexOf(">") + 1 || text.length);
  if (openPlain(block, piece)) return text.slice(piece.length);
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
  if (block.isLeafSeen) {
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
