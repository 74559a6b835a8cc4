import type { AdvisorResult } from "@/contract/advisor";
import type { ChatRow } from "@/server/db/chats/rows";
import type { ClaimedChat, ClaimRoom } from "@/server/db/sql/machine/claim";
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
 * Runs a statement that inserts chats, at most `most`, and claims those of them for which the worker has room. Their
 * turns begin at once, without a statement that looks for them.
 *
 * Rejects as the statement does.
 */
export type ClaimNew = (
  most: number,
  insert: (room: ClaimRoom) => Promise<ClaimedChat[]>,
) => Promise<void>;

/** A step whose calls this process runs. */
export type RunningStep = {
  /** As the step was committed; a decision that is based on it is valid only if the write proves the version. */
  chat: ChatRow;
  advise: Advise | undefined;
  claimNew: ClaimNew;
};

/** The running steps by their messages: a tool exists once per process, and is given only what it may know. */
export type RunningSteps = {
  find: (messageId: string) => RunningStep | undefined;
  /** @returns a function that removes the step again. */
  add: (messageId: string, step: RunningStep) => () => void;
};

export const createRunningSteps = (): RunningSteps => {
  const steps = new Map<string, RunningStep>();
  return {
    find: (messageId) => steps.get(messageId),
    add: (messageId, step) => {
      steps.set(messageId, step);
      return () => {
        if (steps.get(messageId) === step) steps.delete(messageId);
      };
    },
  };
};
