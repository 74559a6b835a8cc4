import type { JsonObject, JsonValue } from "@/contract/json";
import { isJsonObject } from "@/contract/is-json-object";
import { findKind, type Shape } from "@/server/model/value-shape";

/** Writes a text so that it is read back as it is. */
export const writeCdata = (text: string): string =>
  `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;

/** Writes a tool call as it is to be written in an answer. */
export const writeCall = (name: string, args: JsonObject, shape: Shape): string => {
  const parameters = writeFields(args, shape, true).map((parameter) => `\n    ${parameter}`);
  return `  <tool name="${escapeAttribute(name)}">${parameters.join("")}\n  </tool>`;
};

/** Stands for the word of a chat where it is stored, or in a text that is not ours. */
export const HIDDEN_WORD = "…";

/** Writes a block of calls, each as `writeCall` has written it. @param word that of the chat, or "" for none. */
export const writeBlock = (calls: readonly string[], word: string): string =>
  toFence(`<tools${word && ` word="${word}"`}>\n${calls.join("\n")}\n</tools>`);

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
  Object.entries(value).flatMap(([key, field]) =>
    writeContents(field, shape.property(key)).map(({ xml, isJson }) => {
      // At the top, an action with a type is a call of its own.
      const isNamed = NAME.test(key) && !(isRoot && key === "action" && isJson);
      const name = isNamed ? key : "value";
      const attributes = `${isNamed ? "" : ` key="${escapeAttribute(key)}"`}${isJson ? ' type="json"' : ""}`;
      return `<${name}${attributes}>${xml}</${name}>`;
    }),
  );

/** @returns an element for each item of a list, if none of them needs JSON; else one for the value. */
const writeContents = (value: JsonValue, shape: Shape): Content[] => {
  if (!shape.isList) return [writeContent(value, shape)];
  const items = Array.isArray(value) ? value.map((item) => writeContent(item, shape.items())) : [];
  return items.length > 0 && items.every(({ isJson }) => !isJson) ? items : [writeJson(value)];
};

const writeContent = (value: JsonValue, shape: Shape): Content => {
  const { kinds } = shape;
  if (!kinds.has(findKind(value)) || Array.isArray(value)) return writeJson(value);
  if (typeof value === "string") return { xml: writeCdata(value), isJson: false };
  if (!isJsonObject(value)) return { xml: JSON.stringify(value), isJson: false };
  const isEmpty = Object.keys(value).length === 0;
  if (isEmpty && kinds.size > 1) return writeJson(value);
  return { xml: writeFields(value, shape).join(""), isJson: false };
};

const writeJson = (value: JsonValue): Content => ({
  xml: writeCdata(JSON.stringify(value)),
  isJson: true,
});
