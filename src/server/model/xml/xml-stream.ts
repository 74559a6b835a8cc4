import { randomUUID } from "node:crypto";
import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { createAnswerReader } from "./answer-reader";
import {
  createCorrection,
  isLastTry,
  type RefusableCall,
  refuseFault,
  TOO_MANY_MALFORMED,
} from "./malformed";
import { MAX_XML_CALLS } from "./tool-guide";
import { createShapeFinder, type Taught } from "./xml-prompt";

type Part = LanguageModelV4StreamPart;

const TOO_MANY_CALLS = `Not run: an answer can have at most ${MAX_XML_CALLS} tool calls. This call and all after it were left out. Make them in your next answer.`;
/** The provider is at work, although nothing can be shown yet. */
const SIGN_OF_LIFE: Part = { type: "raw", rawValue: undefined };

/** Converts the parts of an answer in text to those of an answer with calls. */
export async function* convertParts(
  stream: ReadableStream<Part>,
  prompt: LanguageModelV4Prompt,
  { tools, word }: Taught,
): AsyncGenerator<Part> {
  const parts: Part[] = [];
  const writer = createPartWriter(parts);
  let hasFault = false;
  const options = { findShape: createShapeFinder(tools), word };
  const reader = createAnswerReader(options, {
    text: writer.addText,
    startBlock: writer.startCall,
    endBlock: (block) => {
      hasFault ||= block.fault !== undefined;
      for (const call of refuseFault(block, tools)) writer.addCall(call);
    },
  });
  for await (const part of stream) {
    if (part.type === "text-delta") {
      reader.push(part.delta);
      if (parts.length === 0) parts.push(SIGN_OF_LIFE);
    } else if (part.type === "finish") {
      const isCut = reader.end();
      writer.endText();
      const correction = createCorrection(reader.findUnmarked(), tools, prompt);
      for (const call of correction) writer.addCall(call);
      const isGivenUp = hasFault && isLastTry(prompt);
      parts.push(toFinish(part, { isComplete: writer.hasCalls() && !isCut, isGivenUp }));
    } else if (part.type !== "text-start" && part.type !== "text-end") {
      if (part.type === "reasoning-start" || part.type === "file") writer.closeText();
      parts.push(part);
    }
    yield* parts.splice(0);
  }
}

/** @param answer.isComplete whether it has calls, all of them whole: then it does not matter that it was cut after them. */
const toFinish = (
  part: Extract<Part, { type: "finish" }>,
  answer: { isComplete: boolean; isGivenUp: boolean },
): Part => {
  const { finishReason, providerMetadata } = part;
  const parley = { failure: TOO_MANY_MALFORMED };
  if (answer.isGivenUp) return { ...part, providerMetadata: { ...providerMetadata, parley } };
  if (!answer.isComplete || finishReason.unified !== "length") return part;
  return { ...part, finishReason: { ...finishReason, unified: "tool-calls" } };
};

/** Writes calls, and the texts between them without the white space around their blocks. */
const createPartWriter = (parts: Part[]) => {
  let texts = 0;
  let isOpen = false;
  /** White space that belongs to the text only if more of it follows. */
  let space = "";
  let calls = 0;
  let toolCallId = createCallId();
  const writeText = (delta: string): void => {
    if (!isOpen) parts.push({ type: "text-start", id: `text_${(texts += 1)}` });
    isOpen = true;
    parts.push({ type: "text-delta", id: `text_${texts}`, delta });
  };
  const closeText = (): void => {
    if (isOpen) parts.push({ type: "text-end", id: `text_${texts}` });
    isOpen = false;
    space = "";
  };
  return {
    addText: (text: string): void => {
      const visible = text.trimEnd();
      if (visible !== "") writeText(space + visible);
      space = visible === "" ? space + text : text.slice(visible.length);
    },
    closeText,
    /** Closes the last text of the answer, which is kept as it is. */
    endText: (): void => {
      if (isOpen && space !== "") writeText(space);
      closeText();
    },
    hasCalls: (): boolean => calls > 0,
    /** Shows the name of the next call. */
    startCall: (toolName: string): void => {
      closeText();
      if (calls <= MAX_XML_CALLS)
        parts.push({ type: "tool-input-start", id: toolCallId, toolName });
    },
    addCall: ({ toolName, args = {}, refusal }: RefusableCall): void => {
      closeText();
      calls += 1;
      // The first call over the limit is kept, to be refused.
      if (calls > MAX_XML_CALLS + 1) return;
      const parley = refusal ?? (calls > MAX_XML_CALLS ? { problem: TOO_MANY_CALLS } : undefined);
      // The person sees what the model wrote, where it is no JSON.
      const xml = refusal?.malformedXml ?? "";
      const input = xml === "" ? JSON.stringify(args) : xml;
      const call = { type: "tool-call", toolCallId, toolName, input } as const;
      parts.push(parley ? { ...call, providerMetadata: { parley } } : call);
      toolCallId = createCallId();
    },
  };
};

const createCallId = (): string => `call_${randomUUID().replaceAll("-", "")}`;
