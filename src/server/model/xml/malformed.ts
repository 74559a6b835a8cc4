import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  SharedV4ProviderMetadata,
} from "@ai-sdk/provider";
import type { ReadBlock, XmlCall } from "./block-reader";
import { writeExample } from "./tool-guide";
import { HIDDEN_WORD } from "./write-xml";

/** A call, and why it is not run. `malformedXml` is the block if it cannot be read, "" for other calls of it. */
export type RefusableCall = XmlCall & {
  refusal?: { problem: string; malformedXml: string; isUnmarked?: true };
};

/** Answers in a row that cannot be read, after which a model is not asked again. */
const MAX_MALFORMED = 3;
/** A block that a model sees again, in characters; more does not help to correct it. */
const MAX_SHOWN_XML = 16 * 1024;
/** The name of a call that names no tool, so that its error has one. */
const UNNAMED = "tools";
const NAME_ELEMENT = /<name>([^<]*)<\/name>/;
const IN_MALFORMED_BLOCK = "Not run: the XML block that this call is in cannot be read.";

export const TOO_MANY_MALFORMED = `The model wrote ${MAX_MALFORMED} answers in a row whose tool calls could not be read as XML. Ask again, or choose another model.`;

/** Refuses the calls of a block that cannot be read. The first that is not complete gets the reason, with an example. */
export const refuseFault = (
  { calls: read, fault }: ReadBlock,
  tools: readonly LanguageModelV4FunctionTool[],
): RefusableCall[] => {
  if (!fault) return read;
  const { offset, found, expected, xml } = fault;
  const [, name] = NAME_ELEMENT.exec(xml) ?? [];
  const toolName = tools.find((one) => one.name === name)?.name ?? UNNAMED;
  const calls: RefusableCall[] = read.length > 0 ? read : [{ toolName }];
  const broken = calls.find(({ args }) => args === undefined) ?? calls[0];
  const tool = tools.find((one) => one.name === broken?.toolName) ?? tools[0];
  const before = xml.slice(0, offset);
  const column = offset - before.lastIndexOf("\n");
  const problem = [
    `Not run: the XML block cannot be read. Line ${before.split("\n").length}, column ${column}: found ${found}, expected ${expected}.`,
    "Nothing of the block took effect: write the whole block again.",
    ...(tool ? [`An example:\n${writeExample(tool, HIDDEN_WORD)}`] : []),
  ].join(" ");
  const shown = `${xml.slice(0, MAX_SHOWN_XML).toWellFormed()}${xml.length > MAX_SHOWN_XML ? "…" : ""}`;
  return calls.map((call) => {
    const refusal = { problem: IN_MALFORMED_BLOCK, malformedXml: "" };
    return { ...call, refusal: call === broken ? { problem, malformedXml: shown } : refusal };
  });
};

/**
 * Creates a call that is not run, by which a model reads how calls are written: its answer has ended with a block of calls
 * without the word, so it has quoted one, or forgotten the word. There is one since the person has last said something.
 *
 * @param toolName of the block; undefined if there is none.
 */
export const createCorrection = (
  toolName: string | undefined,
  tools: readonly LanguageModelV4FunctionTool[],
  prompt: LanguageModelV4Prompt,
): RefusableCall[] => {
  const turn = prompt.slice(prompt.findLastIndex(({ role }) => role === "user") + 1);
  if (toolName === undefined || turn.some(isCorrected)) return [];
  const tool = tools.find(({ name }) => name === toolName) ?? tools[0];
  const problem = [
    `Not run: your answer ended with a block of calls without word="${HIDDEN_WORD}", so it counts as text.`,
    "If you have quoted it, go on without it. If you meant to call tools, write the block again, with the word.",
    ...(tool ? [`An example:\n${writeExample(tool, HIDDEN_WORD)}`] : []),
  ].join(" ");
  const refusal = { problem, malformedXml: "", isUnmarked: true } as const;
  return [{ toolName: tool?.name === toolName ? toolName : UNNAMED, refusal }];
};

const isCorrected = ({ role, content }: LanguageModelV4Prompt[number]): boolean =>
  role === "assistant" && content.some((part) => part.providerOptions?.parley?.isUnmarked === true);

/** @returns the block that a call was in, if it could not be read; "" for its other calls. */
export const readMalformedXml = (part: {
  providerOptions?: SharedV4ProviderMetadata;
}): string | undefined => {
  const xml = part.providerOptions?.parley?.malformedXml;
  return typeof xml === "string" ? xml : undefined;
};

/** @returns whether the answers at the end of a prompt could not be read, so that another one is the last. */
export const isLastTry = (prompt: LanguageModelV4Prompt): boolean => {
  const answers = prompt.filter(({ role }) => role !== "tool").reverse();
  const isMalformed = ({ role, content }: LanguageModelV4Prompt[number]): boolean =>
    role === "assistant" &&
    content.some((part) => part.type === "tool-call" && readMalformedXml(part) !== undefined);
  return answers.slice(0, MAX_MALFORMED - 1).filter(isMalformed).length === MAX_MALFORMED - 1;
};
