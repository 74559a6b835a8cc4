import sax from "sax";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonObject, JsonValue } from "@/contract/json";
import { tryParseJson } from "@/lib/exact-json";
import { keepStart } from "@/lib/keep-start";
import { ANY_SHAPE, findKind, type Shape } from "@/server/model/value-shape";

export type XmlCall = {
  toolName: string;
  /** Undefined for a call that is not complete. */
  args?: JsonObject;
};

export type ReadBlock = {
  calls: XmlCall[];
  /** Why nothing of the block may run, and where, as an index in its XML. */
  fault?: Fault & { xml: string };
};

type Fault = { offset: number; found: string; expected: string };

/** Size of one block in bytes, as of the arguments of one call. */
const MAX_BYTES = 1024 * 1024;
/** Elements inside of each other, more than arguments need. */
const MAX_DEPTH = 32;
/** Elements of a block, each of which takes a kilobyte while it is read. */
const MAX_ELEMENTS = 16_000;
const TOO_MANY = `at most ${MAX_ELEMENTS.toLocaleString("en")} elements in a block`;
const CDATA_HINT = 'or another CDATA section ("]]>" in a text is written "]]]]><![CDATA[>")';
const ONE_ROOT = "the end of the block: a block has one root, and <tools> holds several tools";
const WELL_FORMED = /^[^<&]*(?:&(?:amp|apos|gt|lt|quot|#\d{1,6}|#x[\da-f]{1,5});[^<&]*)*$/i;
const CDATA = /\s*<!\[CDATA\[/y;
const ITEM = /\s*<item[\s/>]/y;

type FindShape = (toolName: string) => Shape;

/** Reads a block of calls. @param end what is found if it is not complete. */
export const readBlock = (whole: string, findShape: FindShape, end: string): ReadBlock => {
  const xml = keepStart(whole, MAX_BYTES);
  const block = createBlock(findShape);
  const { calls, parser } = block;
  try {
    readElements(block, xml);
    if (block.isClosed) return { calls };
    const tooLong = { found: "more than 1 MB", expected: "a shorter block" };
    const cut = xml.length < whole.length ? tooLong : { found: end };
    refuse(block, { offset: xml.length, ...cut });
  } catch {
    // The parser throws for attributes named like its own methods.
    const found = "an attribute that cannot be read";
    const unreadable = { offset: parser.position - 1, found, expected: describeNext(block) };
    return { calls, fault: { ...(block.fault ?? unreadable), xml } };
  }
};

type Block = {
  findShape: FindShape;
  parser: sax.SAXParser;
  calls: XmlCall[];
  /** The innermost one that is open. */
  element: Element;
  isClosed: boolean;
  /** How many were opened. */
  opened: number;
  fault?: Fault;
};

type Element = {
  role: keyof typeof CONTENTS | "value";
  parent?: Element;
  depth: number;
  name: string;
  /** The name of its value in the element around it; of a call, that of the tool. */
  key: string;
  /** Of its content: of one item, if its value is a list. */
  shape: Shape;
  isItem?: boolean;
  /** Its content is JSON. */
  isJson?: boolean;
  text: string;
  /** Where its text begins in the block, if it is not blank. */
  textStart?: number;
  /** Where its last CDATA ends in its text. */
  cdataEnd?: number;
  children: Child[];
};

/** What may come next in an element: a block is one around its root, and actions are a tool that has some. */
const CONTENTS = {
  block: '<tools> or <tool name="…">',
  tools: '<tool name="…"> or </tools>',
  tool: "a parameter or </tool>",
  actions: '<action type="…"> or </tool>',
  action: "a parameter or </action>",
};

/** What an element that is closed adds to the one around it: its value, or an item of a list. */
type Child = { key: string; value: JsonValue; isItem: boolean };

const createBlock = (findShape: FindShape): Block => {
  const parser = sax.parser(true, { strictEntities: true } as sax.SAXOptions);
  const blank = { name: "", key: "", text: "", children: [], depth: 0 };
  const element: Element = { ...blank, role: "block", shape: ANY_SHAPE };
  const block: Block = { findShape, parser, calls: [], element, isClosed: false, opened: 0 };
  const refuseHere = (found: string) => refuse(block, { found, offset: parser.position - 1 });
  parser.onopentag = (tag) => open(block, tag as sax.Tag);
  parser.onclosetag = () => close(block);
  parser.ontext = (text) => addText(block, text, false);
  parser.oncdata = (text) => addText(block, text, true);
  parser.ondoctype = () => refuseHere("a document type");
  parser.onsgmldeclaration = () => refuseHere("a declaration");
  parser.onprocessinginstruction = () => refuseHere("a processing instruction");
  // The lines after the first one have the parser's own position.
  parser.onerror = ({ message }) =>
    refuseHere(message.charAt(0).toLowerCase() + message.slice(1).replace(/\n[^]*/, ""));
  return block;
};

/** Stops reading. @param fault is at the last tag, and for what may come next, where it does not say otherwise. */
const refuse: (block: Block, fault: Partial<Fault> & { found: string }) => never = (
  block,
  fault,
) => {
  const offset = block.parser.startTagPosition - 1;
  block.fault = { offset, expected: describeNext(block), ...fault };
  throw new Error(fault.found);
};

const readElements = (block: Block, xml: string): void => {
  const { parser } = block;
  let at = 0;
  while (at < xml.length && !block.isClosed) {
    const { element } = block;
    const next = xml.indexOf(">", at) + 1 || xml.length;
    parser.write(xml.slice(at, next));
    at = block.element.parent === element ? readLiteral(block, xml, next) : next;
    parser.position = at;
  }
  const offset = xml.length - xml.slice(at).trimStart().length;
  if (offset === xml.length) return;
  refuse(block, { offset, found: "text after the root", expected: ONE_ROOT });
};

/**
 * Reads the text of an element that was opened if it is not well-formed, such as code, up to its closing tag: it is
 * meant as it is written.
 *
 * @returns where it ends; where it begins if the parser is to read it.
 */
const readLiteral = (block: Block, xml: string, at: number): number => {
  const { element } = block;
  const { name, isItem } = element;
  if (!isText(element)) return at;
  const closing = new RegExp(`</(${name.replaceAll(".", "\\.")}|tools?)\\s*>`, "g");
  closing.lastIndex = CDATA.lastIndex = ITEM.lastIndex = at;
  if (CDATA.test(xml) || (isItem && ITEM.test(xml))) return at;
  const { 0: tag, 1: closed, index } = closing.exec(xml) ?? { 0: "", 1: name, index: xml.length };
  if (closed !== name) refuse(block, { offset: index, found: tag });
  const text = xml.slice(at, index);
  if (tag !== "" && WELL_FORMED.test(text)) return at;
  element.text = text;
  return index;
};

const open = (block: Block, tag: sax.Tag): void => {
  const parent = block.element;
  const { depth, cdataEnd, textStart: offset } = parent;
  const found = `<${tag.name}>`;
  const limit = `at most ${MAX_DEPTH} elements in each other`;
  if (depth === MAX_DEPTH) refuse(block, { found, expected: limit });
  block.opened += 1;
  if (block.opened > MAX_ELEMENTS) refuse(block, { found, expected: TOO_MANY });
  // An element has a text or others.
  if (cdataEnd !== undefined) refuse(block, { found });
  if (offset !== undefined) refuse(block, { found: "text", offset });
  const opened = openElement(block, parent, tag);
  const { name } = tag;
  block.element = { name, parent, depth: depth + 1, text: "", children: [], ...opened };
  if (isCall(block.element)) block.calls.push({ toolName: opened.key });
};

const isCall = ({ role }: Element): boolean => role === "tool" || role === "action";

type OpenedElement = Pick<Element, "role" | "key" | "shape"> & Partial<Element>;

const openElement = (block: Block, parent: Element, tag: sax.Tag): OpenedElement => {
  const { role, shape } = parent;
  const { name, attributes } = tag;
  const { type } = attributes;
  if (role === "block" && name === "tools") return { role: "tools", key: name, shape };
  if (role === "block" || role === "tools") {
    const key = attributes.name?.trim();
    if (name === "tool" && key) return { role: "tool", key, shape: block.findShape(key) };
    refuse(block, { found: `<${name}>`, expected: '<tool name="…">' });
  }
  const isInTool = ["tool", "actions"].includes(role);
  if (isInTool && name === "action" && type !== undefined) return openAction(block, parent, type);
  if (role === "actions") refuse(block, { found: `<${name}>` });
  return openValue(parent, tag);
};

/** Opens an action with a type, which is a call of its own. */
const openAction = (block: Block, tool: Element, type: string): OpenedElement => {
  const { key, shape, children } = tool;
  const found = "<action>";
  if (children.length > 0) refuse(block, { found, expected: "either parameters or actions" });
  if (isCall(tool)) block.calls.pop();
  tool.role = "actions";
  const property = ["action", "type"].find((one) => shape.declares(one));
  const values = property === undefined ? [] : [{ key: property, value: type, isItem: false }];
  return { role: "action", key, shape, children: values };
};

const openValue = ({ role, shape }: Element, { name, attributes }: sax.Tag): OpenedElement => {
  const { key = name, type } = attributes;
  const isListed =
    name === "item" && role === "value" && (shape.isList || !shape.kinds.has("object"));
  const whole = isListed ? shape : shape.property(key);
  const isJson = type === "json";
  const isItem = !isListed && whole.isList && !isJson;
  return { role: "value", key, shape: whole.isList ? whole.items() : whole, isItem, isJson };
};

const addText = (block: Block, text: string, isCdata: boolean): void => {
  const { element, parser } = block;
  const { role, children, cdataEnd } = element;
  if (text.trim() !== "") {
    const start = parser.startTagPosition - 1;
    const offset = isCdata ? start : start - text.trimStart().length;
    if (!isCdata && cdataEnd !== undefined) refuse(block, { found: "text after CDATA", offset });
    const isMisplaced = role === "tools" || role === "actions" || children.length > 0;
    if (isMisplaced) refuse(block, { found: "text", offset });
    element.textStart ??= offset;
  }
  // White space around CDATA is layout; between two sections it is text.
  const before = isCdata && cdataEnd === undefined ? element.text.trimStart() : element.text;
  element.text = before + text;
  if (isCdata) element.cdataEnd = element.text.length;
};

const close = (block: Block): void => {
  const { element, calls } = block;
  const [call] = calls.slice(-1);
  if (isCall(element) && call) call.args = readArguments(block, element);
  if (element.role === "value") element.parent?.children.push(...toChildren(block, element));
  block.element = element.parent ?? element;
  block.isClosed = block.element.role === "block";
};

/** Reads the arguments of a call: an element for each, or JSON of all. */
const readArguments = (block: Block, element: Element): JsonObject => {
  const { text, textStart: offset, shape } = element;
  if (offset === undefined) return readObject(element);
  const args = readText(text, shape);
  return isJsonObject(args) ? args : refuse(block, { found: "text", offset });
};

/** Whether an element holds a text, in which markup means nothing. */
const isText = ({ role, isJson = false, shape: { kinds } }: Element): boolean =>
  role === "value" &&
  (isJson || (kinds.has("string") && !kinds.has("object") && !kinds.has("array")));

const toChildren = (block: Block, element: Element): Child[] => {
  const { key, isItem = false, shape, children } = element;
  const value = readValue(block, element);
  // Many models write a list as an element with an <item> for each.
  const isSpread = isItem && children.length > 0 && Array.isArray(value) && !shape.isList;
  return (isSpread ? value : [value]).map((one) => ({ key, value: one, isItem }));
};

const readValue = (block: Block, element: Element): JsonValue => {
  const { name, shape, isJson, text, cdataEnd, children } = element;
  const isCdata = cdataEnd !== undefined;
  const content = isText(element) && !isCdata ? text.trim() : text.slice(0, cdataEnd);
  if (isJson) {
    const value = tryParseJson(content) as JsonValue | undefined;
    if (value !== undefined) return value;
    refuse(block, { found: "text that is no JSON", expected: `JSON in <${name}>` });
  }
  if (children.length === 0) return readText(content, shape, isCdata);
  const hasItems = !shape.kinds.has("object") && children.every((child) => child.key === "item");
  return hasItems ? children.map(({ value }) => value) : readObject(element);
};

/** Reads the elements of an object. Keys may be names that every object has. */
const readObject = ({ children }: Element): JsonObject =>
  Object.fromEntries(
    [...Map.groupBy(children, ({ key }) => key)].map(([key, group]) => {
      const values = group.map(({ value }) => value);
      const isList = values.length > 1 || group.some(({ isItem }) => isItem);
      return [key, isList ? values : (values[0] ?? null)];
    }),
  );

/** Reads a text as what its shape says: a text, or JSON of another kind that the shape allows. */
const readText = (text: string, { kinds }: Shape, isCdata = false): JsonValue => {
  const canBeText = kinds.has("string");
  if (canBeText && (isCdata || kinds.size === 1)) return text;
  const parsed = tryParseJson(text) as JsonValue | undefined;
  const isParsed = parsed !== undefined && typeof parsed !== "string";
  if (isParsed && kinds.has(findKind(parsed))) return parsed;
  return !canBeText && text.trim() === "" && kinds.has("object") ? {} : text;
};

/** @returns what may come next. */
const describeNext = ({ element: { role, name, cdataEnd } }: Block): string => {
  if (role !== "value") return CONTENTS[role];
  return cdataEnd === undefined ? `</${name}>` : `</${name}> ${CDATA_HINT}`;
};
