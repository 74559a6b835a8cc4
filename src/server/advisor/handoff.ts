import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
} from "@ai-sdk/provider";
import { copyValue } from "@/lib/exact-json";
import { dropUnpairedCalls } from "./drop-unpaired-calls";
import { ADVISOR_GUIDANCE, ADVISOR_PROMPT } from "./prompts";
import { countJsonBytes, selectRecentMessages } from "./select-recent-messages";
import { stripProviderData } from "./strip-provider-data";

/** Limit for the agent's system messages, in bytes of JSON. */
const MAX_SYSTEM_BYTES = 12_000;
/** Limit for the text, and for the reasoning, of the current step, in code points. */
export const MAX_STEP_POINTS = 4_000;

/** Text and reasoning of the step that calls the advisor. */
export type CurrentStep = { text: string; reasoning: string };

export type Handoff = {
  /** The prompt of the step that calls the advisor. */
  prompt: LanguageModelV4Prompt;
  step: CurrentStep;
  question: string;
};

type SystemMessage = Extract<LanguageModelV4Message, { role: "system" }>;

/**
 * Builds the advisor's prompt, without changing its input. Reasoning and provider data are removed before
 * anything is measured: they may be larger than all texts, and another model rejects them.
 */
export const buildHandoff = ({ prompt, step, question }: Handoff): LanguageModelV4Prompt => {
  const snapshot = stripProviderData(removeGuidance(prompt));
  const inherited = snapshot.filter((message) => message.role === "system");
  const conversation = snapshot.filter(({ role }) => role !== "system");
  return copyValue([
    ...selectSystemMessages(inherited),
    { role: "system", content: ADVISOR_PROMPT },
    ...dropUnpairedCalls([...selectRecentMessages(conversation), ...toStepMessages(step)]),
    { role: "user", content: [{ type: "text", text: question }] },
  ]);
};

/** Removes the guidance, which is only for models that have the advisor tool. */
export const removeGuidance = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt =>
  prompt.filter(
    (message) => message.role !== "system" || message.content.trim() !== ADVISOR_GUIDANCE,
  );

/** Selects the system messages that fit, from newest to oldest; skips those that do not fit. */
const selectSystemMessages = (messages: SystemMessage[]): SystemMessage[] => {
  let remainingBytes = MAX_SYSTEM_BYTES;
  const selected: SystemMessage[] = [];
  for (const message of messages.toReversed()) {
    const bytes = countJsonBytes(message);
    if (bytes > remainingBytes) continue;
    remainingBytes -= bytes;
    selected.push(message);
  }
  return selected.reverse();
};

const toStepMessages = ({ text, reasoning }: CurrentStep): LanguageModelV4Prompt => {
  const content: LanguageModelV4TextPart[] = [];
  const lastReasoning = takeLastCodePoints(reasoning.trim());
  const lastText = takeLastCodePoints(text.trim());
  if (lastReasoning !== "") {
    content.push({ type: "text", text: `(My reasoning so far)\n${lastReasoning}` });
  }
  if (lastText !== "") content.push({ type: "text", text: lastText });
  return content.length === 0 ? [] : [{ role: "assistant", content }];
};

const takeLastCodePoints = (text: string): string => {
  // A text never has more code points than UTF-16 units.
  if (text.length <= MAX_STEP_POINTS) return text;
  return Array.from(text).slice(-MAX_STEP_POINTS).join("");
};
