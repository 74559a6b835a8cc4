import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type { JsonObject } from "@/contract/json";
import { isRecord } from "@/lib/is-record";
import { toTextOutput } from "@/server/model/adapt-prompt";
import { readMalformedXml } from "./malformed";
import { createToolGuide } from "./tool-guide";
import { ANY_SHAPE, type Shape, toShape } from "@/server/model/value-shape";
import {
  escapeAttribute,
  HIDDEN_WORD,
  toFence,
  writeBlock,
  writeCall,
  writeCdata,
} from "./write-xml";

type Tools = readonly LanguageModelV4FunctionTool[];
type FindShape = (toolName: string) => Shape;
/** What the guide teaches a model. */
export type Taught = { tools: Tools; word: string };
type Conversion = {
  findShape: FindShape;
  word: string;
  /** The calls whose results say how calls are written. */
  refusedIds: ReadonlySet<string>;
};
type Message = LanguageModelV4Prompt[number];
type Answer = Extract<Message, { role: "assistant" }>;
type Results = Extract<Message, { role: "tool" }>;

export const createShapeFinder = (tools: Tools): FindShape => {
  const shapes = new Map(tools.map(({ name, inputSchema }) => [name, toShape(inputSchema)]));
  return (name) => shapes.get(name) ?? ANY_SHAPE;
};

/**
 * Converts a prompt to one of texts only: calls to blocks, results to messages of the user.
 *
 * @param word that of the chat, or "" for none; it is taken out of all but the guide and the calls.
 */
export const toXmlPrompt = (
  prompt: LanguageModelV4Prompt,
  { tools, word }: Taught,
): LanguageModelV4Prompt => {
  const refusedIds = new Set(prompt.flatMap(listRefusedIds));
  const conversion = { findShape: createShapeFinder(tools), word, refusedIds };
  const converted: Message[] = [];
  if (tools.length > 0) converted.push({ role: "system", content: createToolGuide(tools, word) });
  for (const message of prompt) {
    const next = convertMessage(message, conversion);
    const last = converted.at(-1);
    // Results and what the person says next are both of the user, whose messages must not follow each other.
    if (next.role === "user" && last?.role === "user") {
      const content = [...last.content, ...next.content];
      converted.splice(-1, 1, { ...last, ...next, content });
    } else converted.push(next);
  }
  return converted;
};

const convertMessage = (message: Message, conversion: Conversion): Message => {
  switch (message.role) {
    case "system":
      return message;
    case "user": {
      // A text of a person that looks like results must not be taken for them.
      const escape = (text: string) =>
        hideWord(text, conversion).replaceAll(/<(?=\s*(?:\/\s*)?results?\b)/gi, "&lt;");
      const content = message.content.map((part) =>
        part.type === "text" ? { ...part, text: escape(part.text) } : part,
      );
      return { ...message, content };
    }
    case "assistant":
      return convertAnswer(message, conversion);
    case "tool":
      return convertResults(message, conversion);
  }
};

const listRefusedIds = ({ role, content }: Message): string[] =>
  role !== "assistant"
    ? []
    : content.flatMap((part) =>
        part.type === "tool-call" && readMalformedXml(part) !== undefined ? [part.toolCallId] : [],
      );

const hideWord = (text: string, { word }: Conversion): string =>
  word === "" ? text : text.replaceAll(word, HIDDEN_WORD);

/** Joins the texts and the calls of an answer to the text that a model would have written. */
const convertAnswer = ({ content, ...message }: Answer, conversion: Conversion): Answer => {
  const { findShape, word } = conversion;
  const converted: Answer["content"] = [];
  let calls: string[] = [];
  const addText = (text: string): void => {
    const last = converted.at(-1);
    if (last?.type === "text") last.text = `${last.text.trimEnd()}\n\n${text}`;
    else converted.push({ type: "text", text });
  };
  const endBlock = (): void => {
    if (calls.length > 0) addText(writeBlock(calls, word));
    calls = [];
  };
  for (const part of content) {
    const isCall = part.type === "tool-call" && part.providerExecuted !== true;
    const malformed = isCall ? readMalformedXml(part) : undefined;
    if (isCall && malformed === undefined) {
      calls.push(writeCall(part.toolName, part.input as JsonObject, findShape(part.toolName)));
      continue;
    }
    endBlock();
    if (malformed) addText(toFence(malformed));
    else if (part.type === "text") addText(hideWord(part.text, conversion));
    else if (!isCall) converted.push(part);
  }
  endBlock();
  return { ...message, content: converted };
};

const convertResults = ({ content, ...message }: Results, conversion: Conversion): Message => {
  const results = content.filter((part) => part.type === "tool-result");
  const written = results.map((result) => writeResult(result, conversion)).join("\n");
  const text = toFence(`<results>\n${written}\n</results>`);
  const images = results
    .flatMap(({ output }) => (output.type === "content" ? output.value : []))
    .filter((part) => part.type === "file");
  return { ...message, role: "user", content: [{ type: "text", text }, ...images] };
};

const writeResult = (
  { toolName, toolCallId, output }: LanguageModelV4ToolResultPart,
  conversion: Conversion,
): string => {
  const isError = output.type.startsWith("error") || output.type === "execution-denied";
  const attributes = `tool="${escapeAttribute(toolName)}" id="${escapeAttribute(toolCallId)}" status="${isError ? "error" : "success"}"`;
  const { word, refusedIds } = conversion;
  const hidden = hideWord(toText(output), conversion);
  const text = refusedIds.has(toolCallId)
    ? hidden.replaceAll(`word="${HIDDEN_WORD}"`, `word="${word}"`)
    : hidden;
  return `<result ${attributes}>${writeCdata(text)}</result>`;
};

const toText = (output: LanguageModelV4ToolResultPart["output"]): string => {
  if (output.type === "execution-denied") return output.reason ?? "denied";
  const { type, value } = output.type === "content" ? toTextOutput(output) : output;
  // A failure that was marked for a provider without a field for it; here the status has it.
  const said = type === "error-json" && isRecord(value) ? value.error : value;
  return typeof said === "string" ? said : JSON.stringify(value);
};
