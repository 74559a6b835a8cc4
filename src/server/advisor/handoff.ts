import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
} from "@ai-sdk/provider";
import { forAnotherModel } from "./for-another-model";
import { ADVISOR_GUIDANCE, ADVISOR_PROMPT } from "./prompts";
import { withoutOrphans } from "./without-orphans";

/** Bytes of JSON that the agent's system messages may take. */
const MAX_SYSTEM_BYTES = 12_000;
/** Bytes of JSON that the conversation may take. */
const MAX_CONVERSATION_BYTES = 12_000;
const MAX_CONVERSATION_MESSAGES = 20;
/** Of the current step's text, and of its reasoning: the end is what led to the question. */
export const MAX_STEP_POINTS = 4_000;

/** What the agent has said and thought in the step that asks. */
export type StepSoFar = { text: string; reasoning: string };

export type Handoff = {
  /** As it was prepared for the step that asks. */
  prompt: LanguageModelV4Prompt;
  /** The advisor's model is not the one that the prompt was prepared for. */
  foreign: boolean;
  step: StepSoFar;
  question: string;
};

type SystemMessage = Extract<LanguageModelV4Message, { role: "system" }>;

/** The messages that the advisor is given. What goes in is not changed. */
export const buildHandoff = (handoff: Handoff): LanguageModelV4Prompt => {
  const { prompt, foreign, step, question } = handoff;
  const snapshot = withoutGuidance(foreign ? forAnotherModel(prompt) : prompt);
  const inherited = snapshot.filter((message) => message.role === "system");
  const conversation = snapshot.filter(({ role }) => role !== "system");
  return structuredClone([
    ...newestSystem(inherited),
    { role: "system", content: ADVISOR_PROMPT },
    ...withoutOrphans([...recent(conversation), ...currentStep(step)]),
    { role: "user", content: [{ type: "text", text: question }] },
  ]);
};

/** Leaves out the guidance, which is for who can call the tool; other messages stay as they are. */
export const withoutGuidance = (prompt: LanguageModelV4Prompt): LanguageModelV4Prompt =>
  prompt.filter(
    (message) => message.role !== "system" || message.content.trim() !== ADVISOR_GUIDANCE,
  );

/** As many as fit, the newest first as it wins over older ones; one that does not fit is passed over. */
const newestSystem = (messages: SystemMessage[]): SystemMessage[] => {
  let left = MAX_SYSTEM_BYTES;
  const kept: SystemMessage[] = [];
  for (const message of messages.toReversed()) {
    const bytes = jsonBytes(message);
    if (bytes > left) continue;
    left -= bytes;
    kept.push(message);
  }
  return kept.reverse();
};

/** The end of the conversation up to the first message that does not fit: no holes. */
const recent = (messages: LanguageModelV4Prompt): LanguageModelV4Prompt => {
  let left = MAX_CONVERSATION_BYTES;
  const kept: LanguageModelV4Prompt = [];
  for (const message of messages.toReversed()) {
    left -= jsonBytes(message);
    if (left < 0 || kept.length === MAX_CONVERSATION_MESSAGES) break;
    kept.push(message);
  }
  return kept.reverse();
};

const jsonBytes = (message: LanguageModelV4Message): number =>
  Buffer.byteLength(JSON.stringify(message));

const currentStep = ({ text, reasoning }: StepSoFar): LanguageModelV4Prompt => {
  const content: LanguageModelV4TextPart[] = [];
  const thought = lastPoints(reasoning.trim());
  const said = lastPoints(text.trim());
  if (thought !== "") content.push({ type: "text", text: `(My reasoning so far)\n${thought}` });
  if (said !== "") content.push({ type: "text", text: said });
  return content.length === 0 ? [] : [{ role: "assistant", content }];
};

const lastPoints = (text: string): string => {
  // A code point has at most two units, so a short text needs no walk.
  if (text.length <= MAX_STEP_POINTS) return text;
  return Array.from(text).slice(-MAX_STEP_POINTS).join("");
};
