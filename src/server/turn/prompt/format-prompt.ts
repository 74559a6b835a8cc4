import type { FieldError } from "@/contract/problem";
import type { ResponseFormat } from "@/contract/response-format";

/** Asks for the form of the last answer, also where the provider enforces it: the model then knows it while it works. */
export const createFormatPrompt = ({ name, schema }: ResponseFormat): string =>
  `Your last answer, after all tool calls, must be JSON alone: no other text, no Markdown. It must match this JSON Schema, named ${name}:
${JSON.stringify(schema)}`;

/** Tells the model what is wrong with its answer. */
export const createRepairPrompt = (errors: readonly FieldError[]): string =>
  `Your answer does not have the form that it must have:
${errors.map(({ pointer, message }) => `- ${pointer || "The answer"} ${message}`).join("\n")}
Answer again with the whole JSON alone, and mend that.`;
