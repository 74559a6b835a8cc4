import type { LanguageModelV4Prompt } from "@ai-sdk/provider";

/**
 * Measures the texts of a prompt, without its images and documents. It does not serialize the whole prompt, which would cost
 * as much as sending it.
 */
export const measurePrompt = (prompt: LanguageModelV4Prompt) => ({
  messages: prompt.length,
  bytes: prompt
    .flatMap(({ content }) =>
      typeof content === "string" ? Buffer.byteLength(content) : content.map(countPartBytes),
    )
    .reduce((sum, bytes) => sum + bytes, 0),
});

type Part = Exclude<LanguageModelV4Prompt[number]["content"], string>[number];

const countPartBytes = (part: Part): number => {
  if (part.type === "tool-result" && part.output.type === "content") {
    const texts = part.output.value.filter(({ type }) => type === "text");
    return Buffer.byteLength(JSON.stringify({ ...part, output: texts }));
  }
  if (part.type === "file") return 0;
  return Buffer.byteLength("text" in part ? part.text : JSON.stringify(part));
};
