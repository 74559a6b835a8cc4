import { useState } from "react";
import type { Problem } from "@/contract/problem";
import { useProblem } from "./use-connection";

/**
 * Converts the error of a command to a chat for the page. A conflict with open calls is shown only until the chat
 * does not wait any more.
 */
export const useCommandProblem = (error: unknown, isWaiting: boolean): Problem | undefined => {
  const problem = useProblem(error);
  const [wasWaiting, setWasWaiting] = useState(isWaiting);
  const [outdated, setOutdated] = useState<unknown>();
  if (isWaiting !== wasWaiting) {
    setWasWaiting(isWaiting);
    if (!isWaiting && problem?.code === "conflict") setOutdated(error);
  }
  return error === outdated ? undefined : problem;
};
