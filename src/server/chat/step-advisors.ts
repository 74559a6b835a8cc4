import type { AdvisorResult } from "@/contract/advisor";
import type { AdvisorDeps } from "@/server/tools/advisor";
import type { ToolContext } from "@/server/tools/tool-context";

/**
 * Asks the advisor of one step.
 *
 * @throws when the turn is stopped; every other failure is a result.
 */
export type Advise = (
  question: string,
  call: Pick<ToolContext, "emit" | "signal">,
) => Promise<AdvisorResult>;

/**
 * The advisors of the steps whose calls this process runs. A tool exists once per process, whereas
 * an advisor needs the prompt of the step that made the call.
 */
export type StepAdvisors = AdvisorDeps & {
  /** @returns a function that removes the advisor again. */
  add: (messageId: string, advise: Advise) => () => void;
};

export const createStepAdvisors = (): StepAdvisors => {
  const advisors = new Map<string, Advise>();
  return {
    advise: (question, call) => advisors.get(call.messageId)?.(question, call),
    add: (messageId, advise) => {
      advisors.set(messageId, advise);
      return () => {
        if (advisors.get(messageId) === advise) advisors.delete(messageId);
      };
    },
  };
};
