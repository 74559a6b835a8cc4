import type { LanguageModelV4Prompt, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { ReadBlock } from "./answer-reader";

/** Answers in a row that cannot be read, after which a model is not asked again. */
const MAX_MALFORMED = 3;
/** A block that a model sees again, in characters; more does not help to correct it. */
const MAX_SHOWN_XML = 16 * 1024;

export const TOO_MANY_MALFORMED = `The model wrote ${MAX_MALFORMED} answers in a row whose tool calls could not be read as XML. Ask again, or choose another model.`;

type Fault = NonNullable<ReadBlock["fault"]>;

/** Describes to the model why a block cannot be read, with an example. */
export const describeFault = (
  { offset, found, expected, xml }: Fault,
  example: string | undefined,
): string => {
  const before = xml.slice(0, offset);
  const line = before.split("\n").length;
  const column = offset - before.lastIndexOf("\n");
  const cause = `Not run: the XML block cannot be read. Line ${line}, column ${column}: found ${found}, expected ${expected}.`;
  const advice = "Nothing of the block took effect: write the whole block again.";
  return example === undefined
    ? `${cause} ${advice}`
    : `${cause} ${advice} An example:\n${example}`;
};

/** What another call of a block that cannot be read is told. */
export const IN_MALFORMED_BLOCK = "Not run: the XML block that this call is in cannot be read.";

/** Cuts a block that cannot be read to what is stored of it, so that its model sees what it wrote. */
export const cutXml = (xml: string): string =>
  xml.length > MAX_SHOWN_XML ? `${xml.slice(0, MAX_SHOWN_XML).toWellFormed()}…` : xml;

/** @returns the block that a call was in, if it could not be read; "" for its other calls. */
export const readMalformedXml = (part: {
  providerOptions?: SharedV4ProviderMetadata;
}): string | undefined => {
  const xml = part.providerOptions?.parley?.malformedXml;
  return typeof xml === "string" ? xml : undefined;
};

/** @returns whether the answers at the end of a prompt could not be read, so that another one is the last. */
export const isLastTry = (prompt: LanguageModelV4Prompt): boolean => {
  let answers = 0;
  for (const message of prompt.toReversed()) {
    if (message.role === "tool") continue;
    const isMalformed =
      message.role === "assistant" &&
      message.content.some(
        (part) => part.type === "tool-call" && readMalformedXml(part) !== undefined,
      );
    if (!isMalformed) break;
    answers += 1;
  }
  return answers >= MAX_MALFORMED - 1;
};
