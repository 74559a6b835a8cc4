import sax from "sax";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { parseExactJson } from "@/lib/exact-json";
import { ANY_SHAPE, findKind, type Shape } from "./value-shape";

export type XmlCall = {
  toolName: string;
  /** Undefined for a call that is not complete. */
  args?: JsonObject;
};

/** Why a block cannot be read, and where, as an index in it. */
export type BlockFault = { offset: number; found: string; expected: string };

/** What ends a block that is not complete. */
export type BlockEnd = { found: string; expected?: string };

type FindShape = (toolName: string) => Shape;

/** What cannot be read at the offset of a block. */
class StructureError extends Error {
  constructor(
    found: string,
    readonly expected: string,
  ) {
    super(found);
  }
}

/** Elements inside of each other, more than arguments need. */
const MAX_DEPTH = 32;
const CDATA_HINT = 'or another CDATA section ("]]>" in a text is written "]]]]><![CDATA[>")';
const ONE_ROOT = "the end of the block: a block has one root, and <tools> holds several tools";
const WELL_FORMED = /^[^<&]*(?:&(?:amp|apos|gt|lt|quot|#\d{1,6}|#x[\da-f]{1,5});[^<&]*)*$/i;
const CDATA = /\s*<!\[CDATA\[/y;
const ITEM = /\s*<item[\s/>]/y;

/** Reads a block of calls. @returns its calls, and why it cannot be read. */
export const readBlock = (
  xml: string,
  findShape: FindShape,
  end: BlockEnd,
): { calls: XmlCall[]; fault?: BlockFault } => {
  const block = createBlock(findShape);
  const { calls, elements, parser } = block;
  listen(block);
  try {
    readElements(block, xml, end);
    return { calls };
  } catch (error) {
    const incomplete = elements.filter(isCall).map(({ key }) => ({ toolName: key }));
    const isRefused = error instanceof StructureError;
    const offset = isRefused ? block.offset : parser.position - 1;
    // The parser throws for attributes named like its own methods.
    const found = isRefused ? error.message : "an attribute that cannot be read";
    const expected = isRefused ? error.expected : describeNext(block);
    return { calls: [...calls, ...incomplete], fault: { offset, found, expected } };
  }
};

type Block = ReturnType<typeof createBlock>;

const createBlock = (findShape: FindShape) => ({
  findShape,
  parser: createParser(),
  calls: [] as XmlCall[],
  /** Those that are open. */
  elements: [] as Element[],
  isClosed: false,
  /** Where what is read now begins. */
  offset: 0,
});

/** Creates a strict parser that knows the entities of XML only, and has no limit of its own. */
const createParser = (): sax.SAXParser => {
  const parser = sax.parser(true);
  // Its own table has those of HTML, and names that every object has.
  const entities = { amp: "&", apos: "'", gt: ">", lt: "<", quot: '"' };
  parser.ENTITIES = Object.assign(Object.create(null) as object, entities);
  return Object.assign(parser, { bufferCheckPosition: Infinity });
};

type Element = ReturnType<typeof createElement>;

const createElement = (
  role: "tools" | "tool" | "tool of actions" | "action" | "value",
  name: string,
  shape: Shape,
) => ({
  role,
  name,
  /** Of its content: of one item, if its value is a list. */
  shape,
  /** The name of its value in the element around it; of a call, that of the tool. */
  key: name,
  isItem: false,
  /** Its content is JSON. */
  isJson: false,
  text: "",
  /** Where its last CDATA ends in its text. */
  cdataEnd: undefined as number | undefined,
  children: [] as Child[],
});

/** What an element that is closed adds to the one around it; the value of a list may be whole. */
type Child = { key: string; values: JsonValue[]; isWhole: boolean };

const listen = (block: Block): void => {
  const { parser } = block;
  const readAt = (offset: number, read: () => void): void => {
    block.offset = offset;
    read();
  };
  const refuse = (found: string): void =>
    readAt(parser.position - 1, () => {
      throw new StructureError(found, describeNext(block));
    });
  const findTag = (): number => parser.startTagPosition - 1;
  parser.onopentag = (tag) => readAt(findTag(), () => open(block, tag as sax.Tag));
  parser.onclosetag = () => readAt(findTag(), () => close(block));
  parser.ontext = (text) =>
    readAt(findTag() - text.trimStart().length, () => addText(block, text, false));
  parser.oncdata = (text) =>
    readAt(parser.position - text.length - "]]>".length, () => addText(block, text, true));
  parser.ondoctype = () => refuse("a document type");
  parser.onsgmldeclaration = () => refuse("a declaration");
  parser.onprocessinginstruction = () => refuse("a processing instruction");
  // The lines after the first one have the parser's own position.
  parser.onerror = ({ message }) => {
    const [text = ""] = message.split("\n");
    refuse(text.charAt(0).toLowerCase() + text.slice(1));
  };
};

const readElements = (block: Block, xml: string, end: BlockEnd): void => {
  const { elements, parser } = block;
  let at = 0;
  while (at < xml.length && !block.isClosed) {
    const depth = elements.length;
    const next = xml.indexOf(">", at) + 1 || xml.length;
    parser.write(xml.slice(at, next));
    at = elements.length > depth ? readLiteral(block, xml, next) : next;
    parser.position = at;
  }
  block.offset = block.isClosed ? xml.length - xml.slice(at).trimStart().length : xml.length;
  if (!block.isClosed) throw new StructureError(end.found, end.expected ?? describeNext(block));
  if (block.offset < xml.length) throw new StructureError("text after the root", ONE_ROOT);
};

/**
 * Reads the text of an element that was opened if it is not well-formed, such as code, up to its closing tag: it is
 * meant as it is written.
 *
 * @returns where it ends; where it begins if the parser is to read it.
 */
const readLiteral = (block: Block, xml: string, at: number): number => {
  const element = block.elements.at(-1);
  if (!element || !isText(element)) return at;
  const { name, isItem, isJson } = element;
  const closing = new RegExp(`</(${name.replaceAll(".", "\\.")}|tools?)\\s*>`, "g");
  closing.lastIndex = CDATA.lastIndex = ITEM.lastIndex = at;
  if (CDATA.test(xml) || (isItem && !isJson && ITEM.test(xml))) return at;
  const found = closing.exec(xml);
  if (!found) return xml.length;
  block.offset = found.index;
  if (found[1] !== name) throw new StructureError(found[0], describeNext(block));
  const text = xml.slice(at, found.index);
  if (WELL_FORMED.test(text)) return at;
  element.text = text;
  return found.index;
};

const open = (block: Block, tag: sax.Tag): void => {
  const { elements } = block;
  const parent = elements.at(-1);
  if (elements.length === MAX_DEPTH) {
    throw new StructureError(`<${tag.name}>`, `at most ${MAX_DEPTH} elements in each other`);
  }
  if (parent?.cdataEnd !== undefined) throw createCdataError(block);
  if (!parent && tag.name === "tools") elements.push(createElement("tools", "tools", ANY_SHAPE));
  else if (!parent || parent.role === "tools") elements.push(openTool(block, tag));
  else if (parent.role === "value" || parent.role === "action") {
    elements.push(createValueElement(parent, tag));
  } else elements.push(openInTool(block, parent, tag));
};

const openTool = ({ findShape }: Block, { name, attributes }: sax.Tag): Element => {
  const toolName = attributes.name?.trim();
  if (name !== "tool" || !toolName) throw new StructureError(`<${name}>`, '<tool name="…">');
  return Object.assign(createElement("tool", name, findShape(toolName)), { key: toolName });
};

/** Opens a parameter, or an action with a type, each of which is a call of its own. */
const openInTool = (block: Block, tool: Element, tag: sax.Tag): Element => {
  const { role, shape, children, key: toolName } = tool;
  const { type } = tag.attributes;
  if (tag.name !== "action" || type === undefined) {
    if (role === "tool") return createValueElement(tool, tag);
    throw new StructureError(`<${tag.name}>`, describeNext(block));
  }
  if (children.length > 0) throw new StructureError("<action>", "either parameters or actions");
  tool.role = "tool of actions";
  const key = ["action", "type"].find((name) => shape.declares(name));
  const child = key === undefined ? [] : [{ key, values: [type], isWhole: false }];
  return Object.assign(createElement("action", "action", shape), {
    key: toolName,
    children: child,
  });
};

const createValueElement = ({ role, shape }: Element, { name, attributes }: sax.Tag): Element => {
  const { key = name, type } = attributes;
  const isListed =
    name === "item" && role === "value" && (shape.isList || !shape.kinds.has("object"));
  const whole = isListed ? shape : shape.property(key);
  const element = createElement("value", name, whole.isList ? whole.items() : whole);
  return Object.assign(element, {
    key,
    isItem: !isListed && whole.isList,
    isJson: type === "json",
  });
};

const addText = (block: Block, text: string, isCdata: boolean): void => {
  const element = block.elements.at(-1);
  if (!element) return;
  const { cdataEnd } = element;
  if (text.trim() !== "") {
    if (!isCdata && cdataEnd !== undefined) throw createCdataError(block);
    if (!takesText(element)) throw new StructureError("text", describeNext(block));
  }
  // White space around CDATA is layout; between two sections it is text.
  const before = isCdata && cdataEnd === undefined ? element.text.trimStart() : element.text;
  element.text = before + text;
  if (isCdata) element.cdataEnd = element.text.length;
};

/** A tool has elements only, or JSON of all its arguments. */
const takesText = ({ role, children }: Element): boolean =>
  role === "value" || role === "action" || (role === "tool" && children.length === 0);

const createCdataError = (block: Block): StructureError =>
  new StructureError("text after CDATA", `${describeNext(block)} ${CDATA_HINT}`);

const close = (block: Block): void => {
  const { elements, calls } = block;
  const element = elements.at(-1);
  if (!element) return;
  if (element.role === "value") elements.at(-2)?.children.push(toChild(element));
  else if (isCall(element)) calls.push({ toolName: element.key, args: readArguments(element) });
  elements.pop();
  block.isClosed = elements.length === 0;
};

const isCall = ({ role }: Element): boolean => role === "tool" || role === "action";

/** Reads the arguments of a call: an element for each, or JSON of all. */
const readArguments = (element: Element): JsonObject => {
  const { text, children, shape, name } = element;
  if (text.trim() === "") return readObject(element);
  const args = children.length === 0 ? readText(text, shape) : text;
  if (isJsonObject(args)) return args;
  throw new StructureError("text", `a parameter or </${name}>`);
};

/** Whether an element holds a text, in which markup means nothing. */
const isText = ({ role, isJson, shape: { kinds } }: Element): boolean =>
  role === "value" &&
  (isJson || (kinds.has("string") && !kinds.has("object") && !kinds.has("array")));

const toChild = (element: Element): Child => {
  const { name, key, shape, isItem, isJson, text, cdataEnd, children } = element;
  const isCdata = cdataEnd !== undefined;
  const content = isText(element) && !isCdata ? text.trim() : text.slice(0, cdataEnd);
  if (isJson) {
    const value = parseJson(content);
    if (value !== undefined) return { key, values: [value], isWhole: isItem };
    throw new StructureError("text that is no JSON", `JSON in <${name}>`);
  }
  if (children.length === 0) {
    return { key, values: [readText(content, shape, isCdata)], isWhole: false };
  }
  if (text.trim() !== "") throw new StructureError("text", `elements or </${name}>`);
  // Many models write lists as an element with an <item> for each.
  const hasItems = !shape.kinds.has("object") && children.every((child) => child.key === "item");
  const value = hasItems ? children.flatMap(({ values }) => values) : readObject(element);
  const isSpread = isItem && Array.isArray(value) && !shape.isList;
  return { key, values: isSpread ? value : [value], isWhole: false };
};

/** Reads the elements of an object. Keys may be names that every object has. */
const readObject = ({ children, shape }: Element): JsonObject =>
  Object.fromEntries(
    [...Map.groupBy(children, ({ key }) => key)].map(([key, group]) => {
      const values = group.flatMap((child) => child.values);
      const isWhole = group.some((child) => child.isWhole);
      const isList = values.length > 1 || (shape.property(key).isList && !isWhole);
      return [key, isList ? values : (values[0] ?? null)];
    }),
  );

/** Reads a text as what its shape says: a text, or JSON of another kind that the shape allows. */
const readText = (text: string, { kinds }: Shape, isCdata = false): JsonValue => {
  const canBeText = kinds.has("string");
  if (canBeText && (isCdata || kinds.size === 1)) return text;
  const parsed = parseJson(text);
  const isParsed = parsed !== undefined && typeof parsed !== "string";
  if (isParsed && kinds.has(findKind(parsed))) return parsed;
  return !canBeText && text.trim() === "" && kinds.has("object") ? {} : text;
};

const parseJson = (text: string): JsonValue | undefined => {
  try {
    return parseExactJson(text) as JsonValue;
  } catch {
    return undefined;
  }
};

/** @returns what may come next. */
const describeNext = ({ elements }: Block): string => {
  const { role, name } = elements.at(-1) ?? {};
  if (role === undefined) return '<tools> or <tool name="…">';
  if (role === "tools") return '<tool name="…"> or </tools>';
  if (role === "tool of actions") return '<action type="…"> or </tool>';
  return role === "value" ? `</${name}>` : `a parameter or </${name}>`;
};
