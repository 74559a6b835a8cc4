import { isJsonObject } from "@/contract/is-json-object";
import type { JsonValue } from "@/contract/json";
import { createShapeFinder } from "@/server/model/xml/xml-prompt";
import { escapeAttribute, writeBlock, writeCall } from "@/server/model/xml/write-xml";
import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import type { DemoCall } from "./parse-tool-calls";
import type { DemoReply } from "./plan-reply";

/** Writes the calls of a reply as XML after its text. Arguments that are no JSON stay the mistake that they are. */
export const writeXmlReply = (
  reply: DemoReply,
  tools: readonly LanguageModelV4FunctionTool[],
): DemoReply => {
  if (reply.calls.length === 0) return reply;
  const findShape = createShapeFinder(tools);
  const write = ({ toolName, input }: DemoCall): string => {
    const args = parseJson(input);
    return isJsonObject(args)
      ? writeCall(toolName, args, findShape(toolName))
      : `  <tool name="${escapeAttribute(toolName)}">${input}</tool>`;
  };
  const block = writeBlock(reply.calls.map(write));
  return { ...reply, calls: [], text: reply.text === "" ? block : `${reply.text}\n\n${block}` };
};

const parseJson = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
};
