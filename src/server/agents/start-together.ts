import type { StartedAgent } from "@/contract/agent";
import { type AgentStart, type StartDeps, startAgents, type StartOutcome } from "./start-agent";

type WaitingStart = AgentStart & {
  resolve: (agent: StartedAgent) => void;
  reject: (error: unknown) => void;
};

/**
 * Creates a function that starts an agent together with those that other calls of the same message start: one after the
 * other, they would wait for the lock of their root chat. It rejects with a `ToolFailure` as `startAgents` fails.
 */
export const createStartTogether = (
  deps: StartDeps,
): ((start: AgentStart) => Promise<StartedAgent>) => {
  const waiting = new Map<string, WaitingStart[]>();
  const run = (chatId: string): void => {
    const starts = waiting.get(chatId) ?? [];
    waiting.delete(chatId);
    startAgents(deps, { chatId, starts }).then(
      (outcomes) => starts.forEach((start, index) => settle(start, outcomes[index])),
      (error: unknown) => starts.forEach(({ reject }) => reject(error)),
    );
  };
  return (start) =>
    new Promise((resolve, reject) => {
      const { chatId } = start.call;
      const starts = waiting.get(chatId);
      if (starts) return void starts.push({ ...start, resolve, reject });
      waiting.set(chatId, [{ ...start, resolve, reject }]);
      // The calls of a message begin in the same run of the event loop.
      setImmediate(run, chatId);
    });
};

const settle = ({ resolve, reject }: WaitingStart, outcome: StartOutcome | undefined): void => {
  if (outcome && "agent" in outcome) resolve(outcome.agent);
  else reject(outcome?.failure ?? new Error("a start has no outcome"));
};
