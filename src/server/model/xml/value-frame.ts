import type { JsonObject, JsonValue } from "@/contract/json";
import { kindOf, type Shape } from "./value-shape";

/** The values of the elements with one name in an element. */
type Field = { shape: Shape; values: JsonValue[]; whole: JsonValue | undefined };

/** An open element and what it holds so far. */
export type Frame = {
  role: "tools" | "tool" | "action" | "value";
  /** The name of the element. */
  element: string;
  /** The name of its value in the element around it. */
  key: string;
  /** Of its content: of one item, if its value is a list. */
  shape: Shape;
  isItem: boolean;
  /** Its content is JSON. */
  isJson: boolean;
  fields: Map<string, Field> | undefined;
  text: string;
  isCdata: boolean;
};

export type Tag = { name: string; attributes: Readonly<Record<string, string>> };

export const createFrame = (
  { role, element }: Pick<Frame, "role" | "element">,
  shape: Shape,
): Frame => ({
  role,
  element,
  key: element,
  shape,
  isItem: false,
  isJson: false,
  fields: undefined,
  text: "",
  isCdata: false,
});

/** Creates the frame of an element that is inside of another one. */
export const createChildFrame = ({ name, attributes }: Tag, parent: Frame): Frame => {
  const key = readAttribute(attributes, "key") ?? name;
  const isJson = readAttribute(attributes, "type") === "json";
  const isListed = name === "item" && parent.role === "value";
  const itemShape = isListed ? findItemShape(parent.shape) : undefined;
  const shape = itemShape ?? parent.shape.property(key);
  const isItem = itemShape === undefined && shape.isList;
  const frame = createFrame({ role: "value", element: name }, isItem ? shape.items() : shape);
  frame.key = key;
  frame.isJson = isJson;
  frame.isItem = isItem;
  return frame;
};

/** The shape of an `<item>` in a list, or in an item that is itself written as a list. */
const findItemShape = (shape: Shape): Shape | undefined => {
  if (shape.isList) return shape.items();
  return shape.kinds.has("object") ? undefined : shape;
};

export const readAttribute = (
  attributes: Readonly<Record<string, string>>,
  name: string,
): string | undefined => (Object.hasOwn(attributes, name) ? attributes[name] : undefined);

/**
 * Adds the value of a closed element to the element around it.
 *
 * @throws {SyntaxError} for JSON that is none.
 */
export const addToParent = (frame: Frame, parent: Frame): JsonValue => {
  const { key, isItem, isJson } = frame;
  const value = readValue(frame);
  parent.fields ??= new Map();
  let field = parent.fields.get(key);
  if (!field) {
    field = { shape: parent.shape.property(key), values: [], whole: undefined };
    parent.fields.set(key, field);
  }
  if (isItem && isItemList(frame) && Array.isArray(value)) field.values.push(...value);
  else field.values.push(value);
  // One element with JSON holds the whole list.
  if (isJson && isItem) field.whole = value;
  return value;
};

/** An element of a list that has `<item>` elements for its items, as many models write lists. */
const isItemList = ({ isJson, shape, fields }: Frame): boolean =>
  !isJson && !shape.kinds.has("object") && !shape.isList && isOnlyItems(fields);

const isOnlyItems = (fields: Frame["fields"]): boolean => fields?.size === 1 && fields.has("item");

const readValue = ({ isJson, text, fields, shape, isCdata }: Frame): JsonValue => {
  if (isJson) return JSON.parse(text) as JsonValue;
  if (!fields) return readText(text, shape, isCdata);
  const items = fields.get("item");
  if (items && isOnlyItems(fields) && !shape.kinds.has("object")) return items.values;
  return toObject(fields);
};

const PLAIN = { enumerable: true, configurable: true, writable: true };

/** Converts the elements of an object. Keys may be names that every object has. */
export const toObject = (fields: Frame["fields"]): JsonObject => {
  const object: JsonObject = {};
  fields?.forEach((field, key) => {
    const value = toValue(field);
    if (key in Object.prototype) Object.defineProperty(object, key, { value, ...PLAIN });
    else object[key] = value;
  });
  return object;
};

const toValue = ({ shape, values, whole }: Field): JsonValue => {
  if (values.length > 1) return values;
  if (whole !== undefined) return whole;
  return shape.isList ? values : (values[0] ?? null);
};

/** Reads a text as what its shape says: a text, or JSON of another kind that the shape allows. */
export const readText = (text: string, { kinds }: Shape, isCdata: boolean): JsonValue => {
  const canBeText = kinds.has("string");
  if (canBeText && (isCdata || kinds.size === 1)) return text;
  const parsed = parseJson(text);
  if (parsed !== undefined && kinds.has(kindOf(parsed)) && typeof parsed !== "string") {
    return parsed;
  }
  if (canBeText || text.trim() !== "") return text;
  if (kinds.has("object")) return {};
  if (kinds.has("array")) return [];
  return kinds.has("null") ? null : text;
};

const parseJson = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
};
