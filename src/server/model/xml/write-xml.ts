import type { JsonObject, JsonValue } from "@/contract/json";
import { isJsonObject } from "@/contract/is-json-object";
import { kindOf, type Shape } from "./value-shape";

/** Writes a text so that it is read back as it is. */
export const writeCdata = (text: string): string =>
  `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;

/** Writes a tool call as it is to be written in an answer. */
export const writeCall = (name: string, args: JsonObject, shape: Shape): string => {
  const parameters = writeFields(args, shape, true);
  const indented = parameters.map((parameter) => `\n    ${parameter}`).join("");
  return `  <tool name="${escapeAttribute(name)}">${indented}\n  </tool>`;
};

/** Writes a block of calls, each as `writeCall` has written it. */
export const writeBlock = (calls: readonly string[]): string =>
  toFence(`<tools>\n${calls.join("\n")}\n</tools>`);

/** Wraps XML in a fence that nothing in it can close. */
export const toFence = (xml: string): string => {
  const ticks = xml.match(/^ {0,3}`{3,}/gm) ?? [];
  const longest = Math.max(2, ...ticks.map((one) => one.trim().length));
  const fence = "`".repeat(longest + 1);
  return `${fence}xml\n${xml}\n${fence}`;
};

export const escapeAttribute = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/** Names that every XML parser reads; other keys are written in an attribute. */
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/** How a value is written: as XML, or as JSON where its shape does not say how to read it. */
type Content = { xml: string; isJson: boolean };

const writeFields = (value: JsonObject, shape: Shape, isRoot = false): string[] =>
  Object.entries(value).flatMap(([key, field]) => {
    const at = shape.property(key);
    const contents = at.isList ? writeList(field, at) : [writeContent(field, at)];
    return contents.map((content) => {
      // At the top, an action with a type is a call of its own.
      const isNamed = NAME.test(key) && !(isRoot && key === "action" && content.isJson);
      return isNamed
        ? writeElement(key, content)
        : writeElement("value", content, ` key="${escapeAttribute(key)}"`);
    });
  });

/** @returns an element for each item; one for the whole list if it is empty, or has items that need JSON. */
const writeList = (list: JsonValue, shape: Shape): Content[] => {
  const items = Array.isArray(list) ? list.map((item) => writeContent(item, shape.items())) : [];
  const isPlain = items.length > 0 && items.every(({ isJson }) => !isJson);
  return isPlain ? items : [writeJson(list)];
};

const writeElement = (name: string, { xml, isJson }: Content, attributes = ""): string =>
  `<${name}${attributes}${isJson ? ' type="json"' : ""}>${xml}</${name}>`;

const writeContent = (value: JsonValue, shape: Shape): Content => {
  const { kinds } = shape;
  if (!kinds.has(kindOf(value))) return writeJson(value);
  if (typeof value === "string") return { xml: writeCdata(value), isJson: false };
  if (Array.isArray(value)) {
    if (!shape.isList || value.length === 0) return writeJson(value);
    const items = value.map((item) => writeElement("item", writeContent(item, shape.items())));
    return { xml: items.join(""), isJson: false };
  }
  if (!isJsonObject(value)) return { xml: JSON.stringify(value), isJson: false };
  const isEmpty = Object.keys(value).length === 0;
  if (isEmpty && kinds.size > 1) return writeJson(value);
  return { xml: writeFields(value, shape).join(""), isJson: false };
};

const writeJson = (value: JsonValue): Content => ({
  xml: writeCdata(JSON.stringify(value)),
  isJson: true,
});
