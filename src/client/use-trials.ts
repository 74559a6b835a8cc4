import { useMutation, type UseMutationOptions } from "@tanstack/react-query";
import { useState } from "react";
import type { Problem } from "@/contract/problem";
import { toProblem } from "./to-problem";

/** The last try of a record: neither a result nor a problem while it runs. */
type Trial<Result> = { result?: Result; problem?: Problem };

/** Tries records of the settings out, and keeps the last result of each by the key that `start` is given. */
export const useTrials = <Input, Result>(
  call: Pick<UseMutationOptions<Result, unknown, Input>, "mutationFn" | "mutationKey">,
  onTried: () => unknown = () => undefined,
) => {
  const [trials, setTrials] = useState<Record<string, Trial<Result>>>({});
  const { mutate } = useMutation({ ...call, onSettled: onTried });
  const start = (key: string, input: Input): void => {
    const setTrial = (trial: Trial<Result>): void =>
      setTrials((previous) => ({ ...previous, [key]: trial }));
    setTrial({});
    mutate(input, {
      onSuccess: (result) => setTrial({ result }),
      onError: (error) => setTrial({ problem: toProblem(error) }),
    });
  };
  return { trials, start };
};
