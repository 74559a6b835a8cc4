import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { AdvisorSpend } from "@/server/advisor/advisor-outcome";
import type { AdvisorRuntime } from "@/server/advisor/advisor-runtime";
import { askAdvisor } from "@/server/advisor/ask-advisor";
import type { CurrentStep } from "@/server/advisor/handoff";
import { countUses, createQuota } from "@/server/advisor/quota";
import type { HistoryMessage } from "@/server/db/chats/rows";
import { getLocalCalls } from "./decide-next";
import type { Advise } from "@/server/tools/tool-context";
import { meterAdvisor } from "./meter-calls";
import type { Turn, TurnDeps } from "./turn-deps";

type AdvisedStep = {
  advisor: AdvisorRuntime;
  message: HistoryMessage;
  /** The prompt that the step with the calls answered. */
  prompt: LanguageModelV4Prompt;
};

/**
 * The advisor for the calls of one step.
 *
 * @param onSpend receives the cost of each nested call.
 */
export const createAdvise = (
  deps: TurnDeps,
  turn: Turn,
  { advisor, message, prompt, onSpend }: AdvisedStep & { onSpend: (spend: AdvisorSpend) => void },
): Advise => {
  const quota = createQuota(advisor.maxUses, countUses(advisorOutputs(turn)));
  return async (question, { emit, signal }) => {
    const begun = deps.now();
    const took = () => (deps.now().getTime() - begun.getTime()) / 1_000;
    try {
      const { result, spend } = await askAdvisor(
        advisor,
        {
          prompt,
          step: stepSoFar(message),
          question: question.toWellFormed(),
        },
        { ...deps, quota, emit, signal },
      );
      if (spend) onSpend(spend);
      meterAdvisor(deps.meter, {
        ending: result.type,
        seconds: took(),
        usage: spend?.usage,
        isRefunded: result.type === "error",
      });
      return result;
    } catch (error) {
      meterAdvisor(deps.meter, {
        ending: "aborted",
        seconds: took(),
        usage: undefined,
        isRefunded: true,
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
  const joinText = (type: "text" | "reasoning") =>
    parts.flatMap((part) => (part.type === type ? part.text : [])).join("\n\n");
  return { text: joinText("text"), reasoning: joinText("reasoning") };
};
