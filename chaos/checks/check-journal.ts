import type { FinishReason, Message } from "@/contract/message";
import type { Ledger } from "../ledger";
import { ANSWER_NUMBER } from "../provider/answer-events";
import type { ModelCall } from "../provider/hostile-provider";

/** Answers that the provider has ended itself; of the others, a part is stored. */
const IS_WHOLE: Record<FinishReason, boolean> = {
  stop: true,
  "tool-calls": true,
  length: true,
  "content-filter": true,
  other: true,
  error: false,
  interrupted: false,
  "step-limit": false,
  // Marked after the provider has ended it, as with the step limit.
  "auto-submit-off": false,
  "invalid-format": false,
};

/** Finds the call that an answer came from, by its text or the id of a tool call. */
const findCallNumber = ({ parts }: Message): number | undefined => {
  for (const part of parts) {
    const number =
      part.type === "text"
        ? ANSWER_NUMBER.exec(part.text)?.[1]
        : part.type === "tool_call"
          ? /^call_(\d+)_/.exec(part.tool_call_id)?.[1]
          : undefined;
    if (number !== undefined) return Number(number);
  }
  return undefined;
};

/**
 * Compares the answers in the histories with the provider's journal: each was asked for once and stored
 * whole, and nothing was asked for again after it had been stored.
 */
export const checkJournal = (
  ledger: Ledger,
  journal: readonly ModelCall[],
  histories: readonly (readonly Message[])[],
): void => {
  const stored = new Set<number>();
  const lastCalls = new Map(journal.map(({ prompt, number }) => [prompt, number]));
  const answers = histories.flat().filter(({ role }) => role === "assistant");
  for (const message of answers) {
    const number = findCallNumber(message);
    const call = number === undefined ? undefined : journal[number - 1];
    if (!call) continue;
    if (stored.has(call.number)) {
      ledger.report("doubled", `the model's answer #${call.number} is stored twice`);
    }
    stored.add(call.number);
    const isWhole = !message.interrupted && IS_WHOLE[message.finish_reason ?? "error"];
    if (!isWhole) continue;
    const text = message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
    if (text !== call.text) {
      ledger.report("lost", `the model's answer #${call.number} is stored as "${text}"`);
    }
    const again = lastCalls.get(call.prompt) ?? 0;
    if (again > call.number) {
      ledger.report(
        "doubled",
        `the model was asked again (#${again}) after its answer #${call.number} was stored`,
      );
    }
  }
};
