import { randomUUID } from "node:crypto";
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import { createAnswerReader, type OpenedCall, type ReadBlock } from "./answer-reader";
import {
  cutXml,
  describeFault,
  IN_MALFORMED_BLOCK,
  isLastTry,
  TOO_MANY_MALFORMED,
} from "./malformed";
import { createTextParts, type TextParts } from "./text-parts";
import { MAX_XML_CALLS, writeExample } from "./tool-guide";
import { createShapeFinder } from "./xml-prompt";

type Part = LanguageModelV4StreamPart;
type Finish = Extract<Part, { type: "finish" }>;
type Tools = readonly LanguageModelV4FunctionTool[];
type Problem = { problem: string; xml?: string };

const TOO_MANY_CALLS = `Not run: an answer can have at most ${MAX_XML_CALLS} tool calls. This call and all after it were left out. Make them in your next answer.`;
/** The name of a call that names no tool, so that its error has one. */
const UNNAMED = "tools";
/** The provider is at work, although nothing can be shown yet. */
const SIGN_OF_LIFE: Part = { type: "raw", rawValue: undefined };

/** An answer in text that is converted. */
type Conversion = {
  tools: Tools;
  /** Ids of its calls by their keys, in order. */
  ids: Map<number, string>;
  /** What was converted since the last part. */
  converted: Part[];
  texts: TextParts;
  /** Arguments that were not passed on yet. */
  growth: { key: number; json: string };
  /** Blocks that could not be read. */
  malformed: number;
};

/** Creates a function that converts the parts of an answer in text to those of an answer with calls. */
export const createXmlConverter = (
  { prompt }: Pick<LanguageModelV4CallOptions, "prompt">,
  tools: Tools,
): ((part: Part) => Part[]) => {
  const add = (part: Part): void => void conversion.converted.push(part);
  const conversion: Conversion = {
    tools,
    ids: new Map<number, string>(),
    converted: [],
    texts: createTextParts(add),
    growth: { key: -1, json: "" },
    malformed: 0,
  };
  const reader = createAnswerReader(createShapeFinder(tools), {
    text: conversion.texts.add,
    openCall: (key, toolName) => openCall(conversion, key, toolName),
    growCall: (key, json) => growCall(conversion, key, json),
    closeCall: (key) => {
      flushGrowth(conversion);
      const id = conversion.ids.get(key);
      if (id !== undefined) add({ type: "tool-input-end", id });
    },
    endBlock: (block) => endBlock(conversion, block),
  });
  return (part) => {
    conversion.converted = [];
    switch (part.type) {
      case "text-delta":
        reader.push(part.delta);
        flushGrowth(conversion);
        return conversion.converted.length > 0 ? conversion.converted : [SIGN_OF_LIFE];
      case "text-start":
      case "text-end":
        return [];
      case "reasoning-start":
        conversion.texts.close();
        break;
      case "finish": {
        const isCut = reader.end();
        conversion.texts.end();
        const isOver = conversion.malformed > 0 && isLastTry(prompt);
        return [...conversion.converted, convertFinish(conversion, part, { isCut, isOver })];
      }
      default:
    }
    return [...conversion.converted, part];
  };
};

const openCall = ({ ids, texts, converted }: Conversion, key: number, toolName: string): void => {
  texts.close();
  // The first call over the limit is kept, to be refused.
  if (ids.size > MAX_XML_CALLS) return;
  const id = `call_${randomUUID().replaceAll("-", "")}`;
  ids.set(key, id);
  converted.push({ type: "tool-input-start", id, toolName });
};

const growCall = (conversion: Conversion, key: number, json: string): void => {
  if (conversion.growth.key !== key) flushGrowth(conversion);
  conversion.growth.key = key;
  conversion.growth.json += json;
};

const flushGrowth = ({ growth, ids, converted }: Conversion): void => {
  const id = ids.get(growth.key);
  if (id !== undefined && growth.json !== "") {
    converted.push({ type: "tool-input-delta", id, delta: growth.json });
  }
  growth.key = -1;
  growth.json = "";
};

const endBlock = (conversion: Conversion, { calls, fault }: ReadBlock): void => {
  flushGrowth(conversion);
  if (fault) return refuseBlock(conversion, calls, fault);
  const keys = [...conversion.ids.keys()];
  for (const call of calls) {
    const isOver = keys.indexOf(call.key) >= MAX_XML_CALLS;
    addCall(conversion, call, isOver ? { problem: TOO_MANY_CALLS } : undefined);
  }
};

const refuseBlock = (
  conversion: Conversion,
  opened: readonly OpenedCall[],
  fault: NonNullable<ReadBlock["fault"]>,
): void => {
  const { tools } = conversion;
  conversion.malformed += 1;
  const unnamed: OpenedCall = { key: -conversion.malformed, toolName: UNNAMED };
  if (opened.length === 0) openCall(conversion, unnamed.key, unnamed.toolName);
  const calls = opened.length === 0 ? [unnamed] : opened;
  const broken = calls.find(({ args }) => args === undefined) ?? calls[0];
  const tool = tools.find(({ name }) => name === broken?.toolName) ?? tools[0];
  const problem = describeFault(fault, tool && writeExample(tool));
  for (const call of calls) {
    const isBroken = call === broken;
    addCall(conversion, call, {
      problem: isBroken ? problem : IN_MALFORMED_BLOCK,
      xml: isBroken ? fault.xml : "",
    });
  }
};

const addCall = (
  { ids, converted }: Conversion,
  { key, toolName, args }: OpenedCall,
  problem: Problem | undefined,
): void => {
  const toolCallId = ids.get(key);
  if (toolCallId === undefined) return;
  // The person sees what the model wrote, where it is no JSON.
  const input = problem?.xml ? cutXml(problem.xml) : JSON.stringify(args ?? {});
  const providerMetadata = problem && toMetadata(problem);
  converted.push({
    type: "tool-call",
    toolCallId,
    toolName,
    input,
    ...(providerMetadata && { providerMetadata }),
  });
};

const toMetadata = ({ problem, xml }: Problem): SharedV4ProviderMetadata => ({
  parley: { problem, ...(xml !== undefined && { malformedXml: cutXml(xml) }) },
});

const convertFinish = (
  { ids }: Conversion,
  part: Finish,
  { isCut, isOver }: { isCut: boolean; isOver: boolean },
): Finish => {
  if (isOver) {
    const parley = { failure: TOO_MANY_MALFORMED };
    return { ...part, providerMetadata: { ...part.providerMetadata, parley } };
  }
  // All calls are complete, also if the answer was cut after them.
  const areComplete = ids.size > 0 && !isCut && part.finishReason.unified === "length";
  return areComplete
    ? { ...part, finishReason: { ...part.finishReason, unified: "tool-calls" } }
    : part;
};
