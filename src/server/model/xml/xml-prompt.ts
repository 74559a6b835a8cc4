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
import { escapeAttribute, toFence, writeBlock, writeCall, writeCdata } from "./write-xml";

type Tools = readonly LanguageModelV4FunctionTool[];
type FindShape = (toolName: string) => Shape;
type Message = LanguageModelV4Prompt[number];
type Answer = Extract<Message, { role: "assistant" }>;
type Results = Extract<Message, { role: "tool" }>;

export const createShapeFinder = (tools: Tools): FindShape => {
  const shapes = new Map(tools.map(({ name, inputSchema }) => [name, toShape(inputSchema)]));
  return (name) => shapes.get(name) ?? ANY_SHAPE;
};

/** Converts a prompt to one of texts only: calls to blocks, results to messages of the user. */
export const toXmlPrompt = (prompt: LanguageModelV4Prompt, tools: Tools): LanguageModelV4Prompt => {
  const findShape = createShapeFinder(tools);
  const converted: Message[] = [];
  if (tools.length > 0) converted.push({ role: "system", content: createToolGuide(tools) });
  for (const message of prompt) {
    const next = convertMessage(message, findShape);
    const last = converted.at(-1);
    // Results and what the person says next are both of the user, whose messages must not follow each other.
    if (next.role === "user" && last?.role === "user") {
      const content = [...last.content, ...next.content];
      converted.splice(-1, 1, { ...last, ...next, content });
    } else converted.push(next);
  }
  return converted;
};

const convertMessage = (message: Message, findShape: FindShape): Message => {
  switch (message.role) {
    case "system":
      return message;
    case "user": {
      // A text of a person that looks like results must not be taken for them.
      const escape = (text: string) => text.replaceAll(/<(?=\s*\/?\s*results?\b)/gi, "&lt;");
      const content = message.content.map((part) =>
        part.type === "text" ? { ...part, text: escape(part.text) } : part,
      );
      return { ...message, content };
    }
    case "assistant":
      return convertAnswer(message, findShape);
    case "tool":
      return convertResults(message);
  }
};

/** Joins the texts and the calls of an answer to the text that a model would have written. */
const convertAnswer = ({ content, ...message }: Answer, findShape: FindShape): Answer => {
  const converted: Answer["content"] = [];
  let calls: string[] = [];
  const addText = (text: string): void => {
    const last = converted.at(-1);
    if (last?.type === "text") last.text = `${last.text.trimEnd()}\n\n${text}`;
    else converted.push({ type: "text", text });
  };
  const endBlock = (): void => {
    if (calls.length > 0) addText(writeBlock(calls));
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
    else if (part.type === "text") addText(part.text);
    else if (!isCall) converted.push(part);
  }
  endBlock();
  return { ...message, content: converted };
};

const convertResults = ({ content, ...message }: Results): Message => {
  const results = content.filter((part) => part.type === "tool-result");
  const text = toFence(`<results>\n${results.map(writeResult).join("\n")}\n</results>`);
  const images = results
    .flatMap(({ output }) => (output.type === "content" ? output.value : []))
    .filter((part) => part.type === "file");
  return { ...message, role: "user", content: [{ type: "text", text }, ...images] };
};

const writeResult = ({ toolName, toolCallId, output }: LanguageModelV4ToolResultPart): string => {
  const isError = output.type.startsWith("error") || output.type === "execution-denied";
  const attributes = `tool="${escapeAttribute(toolName)}" id="${escapeAttribute(toolCallId)}" status="${isError ? "error" : "success"}"`;
  return `<result ${attributes}>${writeCdata(toText(output))}</result>`;
};

const toText = (output: LanguageModelV4ToolResultPart["output"]): string => {
  if (output.type === "execution-denied") return output.reason ?? "denied";
  const { type, value } = output.type === "content" ? toTextOutput(output) : output;
  // A failure that was marked for a provider without a field for it; here the status has it.
  const said = type === "error-json" && isRecord(value) ? value.error : value;
  return typeof said === "string" ? said : JSON.stringify(value);
};
