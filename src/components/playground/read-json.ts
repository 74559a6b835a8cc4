import { type AnyNode, type DocumentNode, parse } from "@humanwhocodes/momoa";
import type { JsonValue } from "@/contract/json";

export type JsonText = { value: JsonValue; findLine: (path: JsonPath) => number };
export type JsonPath = readonly (string | number)[];

type JsonError = { error: string };

/** Parses JSON that a person writes. @returns the value, or a sentence that names the line of the fault. */
export const readJson = (text: string): JsonText | JsonError => {
  let document: DocumentNode;
  try {
    document = parse(text);
    return {
      value: JSON.parse(text) as JsonValue,
      findLine: (path) => findNode(document.body, path).loc.start.line,
    };
  } catch (error) {
    return { error: describeSyntaxError(error, text) };
  }
};

const describeSyntaxError = (error: unknown, text: string): string => {
  if (!isLocated(error)) return "This is not JSON.";
  // The parser has read the line break at the end of an unfinished text.
  const line = Math.min(error.line, text.trimEnd().split("\n").length);
  const found = text.charAt(error.offset);
  const reason = found.trim() === "" ? "It ends too early." : `“${found}” is unexpected here.`;
  return `Line ${line} is not JSON. ${reason}`;
};

const isLocated = (error: unknown): error is Error & { line: number; offset: number } =>
  error instanceof Error && "line" in error && "offset" in error;

/** Follows a path as far as the document has it. */
const findNode = (node: AnyNode, [step, ...rest]: JsonPath): AnyNode => {
  if (step === undefined) return node;
  if (node.type === "Object") {
    const member = node.members.find(
      ({ name }) => (name.type === "String" ? name.value : name.name) === step,
    );
    if (!member) return node;
    // The line of the name, where a person looks for a keyword.
    return rest.length === 0 ? member : findNode(member.value, rest);
  }
  const element = node.type === "Array" ? node.elements[Number(step)] : undefined;
  return element ? findNode(element.value, rest) : node;
};
