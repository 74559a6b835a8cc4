import type { AdvisorSpend } from "@/server/advisor/advisor-outcome";
import type { AdvisorRuntime } from "@/server/advisor/advisor-runtime";
import { askAdvisor } from "@/server/advisor/ask-advisor";
import type { CurrentStep } from "@/server/advisor/handoff";
import { countUses, createQuota } from "@/server/advisor/quota";
import type { HistoryMessage } from "@/server/db/rows";
import { getLocalCalls } from "./decide-next";
import type { Advise } from "./step-advisors";
import type { AskedStep, Turn, TurnPorts } from "./turn-ports";

type AdvisedStep = {
  advisor: AdvisorRuntime;
  message: HistoryMessage;
  /** What the step that made the calls was asked with. */
  asked: AskedStep;
};

/**
 * The advisor for the calls of one step.
 *
 * @param onSpend hears what each nested call cost.
 */
export const createAdvise = (
  ports: TurnPorts,
  turn: Turn,
  { advisor, message, asked, onSpend }: AdvisedStep & { onSpend: (spend: AdvisorSpend) => void },
): Advise => {
  const quota = createQuota(advisor.maxUses, countUses(advisorOutputs(turn)));
  return async (question, { emit, signal }) => {
    const begun = ports.now();
    const took = () => (ports.now().getTime() - begun.getTime()) / 1_000;
    try {
      const { result, spend } = await askAdvisor(
        advisor,
        {
          prompt: asked.prompt,
          promptModel: asked.model,
          step: stepSoFar(message),
          question: question.toWellFormed(),
        },
        { ...ports, quota, emit, signal },
      );
      if (spend) onSpend(spend);
      ports.meter.advisorEnded({
        ending: result.type,
        seconds: took(),
        usage: spend?.usage,
        refunded: result.type === "error",
      });
      return result;
    } catch (error) {
      ports.meter.advisorEnded({
        ending: "aborted",
        seconds: took(),
        usage: undefined,
        refunded: true,
      });
      throw error;
    }
  };
};

/** Returns the committed outcomes of the turn's advisor calls. */
const advisorOutputs = ({ chat, history }: Turn): unknown[] =>
  history
    .filter(({ turnId }) => turnId === chat.turnId)
    .flatMap(getLocalCalls)
    .filter(({ kind, toolName }) => kind === "builtin" && toolName === "advisor")
    .map(({ output }) => output);

const stepSoFar = ({ parts }: HistoryMessage): CurrentStep => {
  const textOf = (type: "text" | "reasoning") =>
    parts.flatMap((part) => (part.type === type ? part.text : [])).join("\n\n");
  return { text: textOf("text"), reasoning: textOf("reasoning") };
};
