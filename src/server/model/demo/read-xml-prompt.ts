import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import sax from "sax";
import { createAnswerReader } from "@/server/model/xml/answer-reader";
import { TOOL_GUIDE_START } from "@/server/model/xml/tool-guide";
import { ANY_SHAPE } from "@/server/model/xml/value-shape";

type UserMessage = Extract<LanguageModelV4Message, { role: "user" }>;
type AssistantMessage = Extract<LanguageModelV4Message, { role: "assistant" }>;
type AssistantContent = AssistantMessage["content"];

/**
 * Reads a prompt that teaches tool calls as XML, as a model without tool calls would understand it.
 *
 * @returns undefined for a prompt that teaches no tools.
 */
export const readXmlPrompt = (
  options: LanguageModelV4CallOptions,
): LanguageModelV4CallOptions | undefined => {
  const guide = options.prompt.find(
    ({ role, content }) =>
      role === "system" && typeof content === "string" && content.startsWith(TOOL_GUIDE_START),
  );
  if (guide?.role !== "system") return undefined;
  const prompt = options.prompt.filter((message) => message !== guide).flatMap(readMessage);
  return { ...options, prompt, tools: readTools(guide.content) };
};

const SECTION = /^## (?<name>\S+)\n(?:.*\n)*?Parameters, as JSON Schema: (?<schema>\{.*\})$/gm;

const readTools = (guide: string): LanguageModelV4FunctionTool[] =>
  [...guide.matchAll(SECTION)].map(({ groups = {} }) => ({
    type: "function",
    name: groups.name ?? "",
    inputSchema: JSON.parse(groups.schema ?? "{}") as LanguageModelV4FunctionTool["inputSchema"],
  }));

const readMessage = (message: LanguageModelV4Message): LanguageModelV4Prompt => {
  if (message.role === "assistant") return [{ ...message, content: readAnswer(message.content) }];
  return message.role === "user" ? readUserMessage(message) : [message];
};

/** Only that an answer has calls matters, and which: their results have the rest. */
const readAnswer = (content: AssistantContent): AssistantContent =>
  content.flatMap((part): AssistantContent => {
    if (part.type !== "text") return [part];
    const found: AssistantContent = [];
    let text = "";
    const reader = createAnswerReader(() => ANY_SHAPE, {
      text: (delta) => (text += delta),
      openCall: (key, toolName) =>
        found.push({ type: "tool-call", toolCallId: `call_${key}`, toolName, input: {} }),
      growCall: () => undefined,
      closeCall: () => undefined,
      endBlock: ({ calls }) => {
        if (calls.length > 0) return;
        found.push({ type: "tool-call", toolCallId: "call", toolName: "tools", input: {} });
      },
    });
    reader.push(part.text);
    reader.end();
    return [...(text.trim() === "" ? [] : [{ type: "text" as const, text }]), ...found];
  });

const RESULTS = /^`{3,}xml\n(?<xml><results>[^]*<\/results>)\n`{3,}$/;

const readUserMessage = (message: UserMessage): LanguageModelV4Prompt => {
  const [first, ...others] = message.content;
  const xml = first?.type === "text" ? RESULTS.exec(first.text)?.groups?.xml : undefined;
  if (xml === undefined) return [message];
  const results: LanguageModelV4Message = { role: "tool", content: readResults(xml) };
  return others.length === 0 ? [results] : [results, { ...message, content: others }];
};

const readResults = (xml: string): LanguageModelV4ToolResultPart[] => {
  const results: LanguageModelV4ToolResultPart[] = [];
  const parser = sax.parser(true);
  let text = "";
  let attributes: Record<string, string> = {};
  parser.onopentag = (tag) => {
    text = "";
    attributes = (tag as sax.Tag).attributes;
  };
  parser.oncdata = (piece) => (text += piece);
  parser.onclosetag = (name) => {
    if (name !== "result") return;
    const { tool = "", id = "", status } = attributes;
    const type = status === "error" ? "error-text" : "text";
    const output = { type, value: text } as const;
    results.push({ type: "tool-result", toolName: tool, toolCallId: id, output });
  };
  parser.write(xml).close();
  return results;
};
