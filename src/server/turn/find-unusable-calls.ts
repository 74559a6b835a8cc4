import type { FinishReason } from "@/contract/message";
import { MAX_CALLS_PER_STEP } from "@/contract/limits";
import type { StepPart } from "@/server/model/model-step";
import { parseArguments } from "@/server/tools/parse-arguments";

type StepCall = Extract<StepPart, { type: "tool_call" }>;

/**
 * Finds the calls of an answer that must not run, nor wait for a client: those that the end of the answer has
 * cut, those over the limit, and those that the model layer could not read.
 *
 * @param calls the calls that the worker or a client would run, in call order.
 * @returns why, by call, as a sentence for the model.
 */
export const findUnusableCalls = (
  calls: readonly StepCall[],
  finishReason: FinishReason,
): Map<StepCall, string> =>
  new Map(
    calls.flatMap((call, index): [StepCall, string][] => {
      if (index >= MAX_CALLS_PER_STEP) return [[call, TOO_MANY_CALLS]];
      if (call.problem !== undefined) return [[call, call.problem]];
      if (call.isIncomplete) return [[call, INCOMPLETE_CALL]];
      const cause = CUT_BY[finishReason];
      // Calls arrive one after the other, so that the end of an answer cuts the last one only.
      const isCut = cause !== undefined && (index === calls.length - 1 || !hasArguments(call));
      return isCut ? [[call, `Not run: ${cause} before this call was complete. ${TRY_AGAIN}`]] : [];
    }),
  );

const TRY_AGAIN = "Nothing of it took effect. Call it again, if necessary with shorter arguments.";
const INCOMPLETE_CALL = `Not run: the arguments of this call did not arrive completely. ${TRY_AGAIN}`;
const TOO_MANY_CALLS = `Not run: an answer can have at most ${MAX_CALLS_PER_STEP} tool calls. This call and all after it were left out. Make them in your next answer.`;

const CUT_BY: Partial<Record<FinishReason, string>> = {
  length: "your answer reached its length limit",
  "content-filter": "the provider's content filter ended your answer",
};

/** False for arguments that are empty or no JSON, such as the first half of an object. */
const hasArguments = ({ input }: StepCall): boolean =>
  input.trim() !== "" && typeof parseArguments(input) !== "string";
