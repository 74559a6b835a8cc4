import type { AdvisorResult } from "@/contract/advisor";
import type { ToolContext } from "@/server/tools/tool-context";

/**
 * Asks an advisor on behalf of one call.
 *
 * @throws when the turn is stopped; every other failure is a result.
 */
export type AdviseStep = (
  question: string,
  call: Pick<ToolContext, "toolCallId" | "emit" | "signal">,
) => Promise<AdvisorResult>;

/**
 * The advisors of the steps whose calls this process runs. A tool exists once per process, whereas
 * an advisor needs the prompt of the step that made the call.
 */
export type StepAdvisors = {
  /** @returns undefined when the step of that message has no advisor. */
  find: (messageId: string) => AdviseStep | undefined;
  /** @returns a function that removes the advisor again. */
  add: (messageId: string, advise: AdviseStep) => () => void;
};

export const createStepAdvisors = (): StepAdvisors => {
  const advisors = new Map<string, AdviseStep>();
  return {
    find: (messageId) => advisors.get(messageId),
    add: (messageId, advise) => {
      advisors.set(messageId, advise);
      return () => {
        if (advisors.get(messageId) === advise) advisors.delete(messageId);
      };
    },
  };
};
