import * as z from "zod";
import type { WireProvider } from "./wire-model";

/** Finds what a provider would refuse of the parameters of a request. */
export const findParameterProblems = (provider: WireProvider, body: unknown): string[] =>
  RULES[provider](body);

const Anthropic = z.looseObject({
  max_tokens: z.int().positive(),
  temperature: z.number().max(1).optional(),
  thinking: z
    .looseObject({ type: z.string(), budget_tokens: z.int().min(1_024).optional() })
    .optional(),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
    }),
  ),
});

const findAnthropic = (body: unknown): string[] => {
  const { max_tokens, temperature, thinking, messages } = Anthropic.parse(body);
  if (!thinking || thinking.type === "disabled") return [];
  const { budget_tokens: budget = 0, type } = thinking;
  const question = messages.findLastIndex(
    ({ role, content }) =>
      role === "user" &&
      (typeof content === "string" || content.some((part) => part.type !== "tool_result")),
  );
  const first = messages.slice(question + 1).find(({ role }) => role === "assistant")?.content[0];
  const start = typeof first === "object" ? first.type : "text";
  return [
    ...(budget >= max_tokens ? ["max_tokens must be greater than the budget"] : []),
    ...(temperature === undefined ? [] : ["a temperature with thinking"]),
    ...(type === "enabled" && first !== undefined && !start.includes("thinking")
      ? ["a turn that did not begin with thinking"]
      : []),
  ];
};

const OpenAi = z.looseObject({
  temperature: z.number().optional(),
  reasoning: z.looseObject({ effort: z.string().optional() }).optional(),
  max_output_tokens: z.int().min(16).optional(),
});

const findOpenAi = (body: unknown): string[] => {
  const { temperature, reasoning } = OpenAi.parse(body);
  const isThinking = reasoning !== undefined && reasoning.effort !== "none";
  return temperature !== undefined && isThinking ? ["a temperature with reasoning"] : [];
};

const Google = z.looseObject({
  generationConfig: z
    .looseObject({
      thinkingConfig: z
        .looseObject({
          thinkingBudget: z.int().max(32_768).optional(),
          thinkingLevel: z.string().optional(),
          includeThoughts: z.boolean().optional(),
        })
        .optional(),
    })
    .optional(),
});

const findGoogle = (body: unknown): string[] => {
  const { thinkingConfig } = Google.parse(body).generationConfig ?? {};
  const { thinkingBudget, thinkingLevel, includeThoughts } = thinkingConfig ?? {};
  return [
    ...(thinkingBudget === 0 && includeThoughts ? ["thoughts of a model that does not think"] : []),
    ...(thinkingBudget !== undefined && thinkingLevel !== undefined
      ? ["a level and a budget of thinking"]
      : []),
  ];
};

const RULES: Record<WireProvider, (body: unknown) => string[]> = {
  anthropic: findAnthropic,
  openai: findOpenAi,
  google: findGoogle,
  "openai-compatible": () => [],
};
