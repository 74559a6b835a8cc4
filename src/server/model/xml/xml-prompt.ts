import type {
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import type { JsonObject } from "@/contract/json";
import { readMalformedXml } from "./malformed";
import { createToolGuide } from "./tool-guide";
import { ANY_SHAPE, type Shape, toShape } from "./value-shape";
import { escapeAttribute, toFence, writeBlock, writeCall, writeCdata } from "./write-xml";

type Tools = readonly LanguageModelV4FunctionTool[];
type AssistantMessage = Extract<LanguageModelV4Message, { role: "assistant" }>;
type ToolMessage = Extract<LanguageModelV4Message, { role: "tool" }>;
type UserContent = Extract<LanguageModelV4Message, { role: "user" }>["content"];

export const createShapeFinder = (tools: Tools): ((toolName: string) => Shape) => {
  const schemas = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
  return (name) => {
    const schema = schemas.get(name);
    return schema === undefined ? ANY_SHAPE : toShape(schema);
  };
};

/** Converts a prompt to one of texts only: calls to blocks, results to messages of the user. */
export const toXmlPrompt = (prompt: LanguageModelV4Prompt, tools: Tools): LanguageModelV4Prompt => {
  const findShape = createShapeFinder(tools);
  const converted: LanguageModelV4Message[] = [];
  if (tools.length > 0) converted.push({ role: "system", content: createToolGuide(tools) });
  for (const message of prompt) {
    const next = convertMessage(message, findShape);
    const last = converted.at(-1);
    // Results and what the person says next are both of the user, whose messages must not follow each other.
    if (next.role === "user" && last?.role === "user") {
      const merged = { ...last, ...next, content: [...last.content, ...next.content] };
      converted.splice(-1, 1, merged);
    } else converted.push(next);
  }
  return converted;
};

const convertMessage = (
  message: LanguageModelV4Message,
  findShape: (toolName: string) => Shape,
): LanguageModelV4Message => {
  switch (message.role) {
    case "system":
      return message;
    case "user":
      return { ...message, content: message.content.map(escapeResults) };
    case "assistant":
      return convertAnswer(message, findShape);
    case "tool":
      return convertResults(message);
  }
};

/** A text of a person that looks like results must not be taken for them. */
const escapeResults = (part: UserContent[number]): UserContent[number] =>
  part.type === "text"
    ? { ...part, text: part.text.replaceAll(/<(?=\s*\/?\s*results?\b)/gi, "&lt;") }
    : part;

/** Joins the texts and the calls of an answer to the text that a model would have written. */
const convertAnswer = (
  { content, ...message }: AssistantMessage,
  findShape: (toolName: string) => Shape,
): AssistantMessage => {
  const converted: AssistantMessage["content"] = [];
  let calls: LanguageModelV4ToolCallPart[] = [];
  const addText = (text: string): void => {
    const last = converted.at(-1);
    if (last?.type === "text") last.text = `${last.text.trimEnd()}\n\n${text}`;
    else converted.push({ type: "text", text });
  };
  const endBlock = (): void => {
    for (const block of writeBlocks(calls, findShape)) addText(block);
    calls = [];
  };
  for (const part of content) {
    if (part.type === "tool-call" && part.providerExecuted !== true) {
      calls.push(part);
      continue;
    }
    endBlock();
    if (part.type === "text") addText(part.text);
    else converted.push(part);
  }
  endBlock();
  return { ...message, content: converted };
};

/** Writes calls that follow each other: one block for those that could be read, the others as they were. */
const writeBlocks = (
  calls: readonly LanguageModelV4ToolCallPart[],
  findShape: (toolName: string) => Shape,
): string[] => {
  const malformed = calls.flatMap((call) => toList(readMalformedXml(call)));
  const readable = calls.filter((call) => readMalformedXml(call) === undefined);
  const written = readable.map(({ toolName, input }) =>
    writeCall(toolName, input as JsonObject, findShape(toolName)),
  );
  return [...(written.length > 0 ? [writeBlock(written)] : []), ...malformed.map(toFence)];
};

const toList = (xml: string | undefined): string[] => (xml ? [xml] : []);

const convertResults = ({ content, ...message }: ToolMessage): LanguageModelV4Message => {
  const results = content.filter((part) => part.type === "tool-result");
  const text = `<results>\n${results.map(writeResult).join("\n")}\n</results>`;
  const files = results.flatMap(({ output }) => (output.type === "content" ? output.value : []));
  const images = files.flatMap((part): LanguageModelV4FilePart[] =>
    part.type === "file" ? [part] : [],
  );
  const written: LanguageModelV4TextPart = { type: "text", text: toFence(text) };
  return { ...message, role: "user", content: [written, ...images] };
};

const writeResult = ({ toolName, toolCallId, output }: LanguageModelV4ToolResultPart): string => {
  const isError = output.type.startsWith("error") || output.type === "execution-denied";
  const attributes = `tool="${escapeAttribute(toolName)}" id="${escapeAttribute(toolCallId)}" status="${isError ? "error" : "success"}"`;
  return `<result ${attributes}>${writeCdata(toText(output))}</result>`;
};

const toText = (output: LanguageModelV4ToolResultOutput): string => {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
      return JSON.stringify(output.value);
    case "error-json":
      return readError(output.value) ?? JSON.stringify(output.value);
    case "execution-denied":
      return output.reason ?? "denied";
    case "content":
      return output.value.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
  }
};

/** A failure that was marked for a provider without a field for it; here the status has it. */
const readError = (value: unknown): string | undefined => {
  const { error } = ((typeof value === "object" ? value : undefined) as { error?: unknown }) ?? {};
  return typeof error === "string" ? error : undefined;
};
