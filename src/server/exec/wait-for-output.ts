import type { Command } from "./command";

/** How long an input may take to show an effect. */
const REACTION_MS = 1_000;
/** Output that pauses for this long is taken for the whole reaction. */
const QUIET_MS = 100;

/** Waits for output or the end of a command. Rejects when the signal is aborted. @returns whether one came in time. */
export const waitForEvent = async (
  command: Command,
  ms: number,
  signal: AbortSignal,
): Promise<boolean> => {
  signal.throwIfAborted();
  if (command.state().status !== "running") return true;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  const unsubscribe = command.subscribe(() => resolve(true));
  const onAbort = (): void => resolve(false);
  signal.addEventListener("abort", onAbort, { once: true });
  const hasCome = await promise;
  clearTimeout(timer);
  unsubscribe();
  signal.removeEventListener("abort", onAbort);
  signal.throwIfAborted();
  return hasCome;
};

/** Waits for the output of an input, so that the result of the call can show it. */
export const waitForReaction = async (command: Command, signal: AbortSignal): Promise<void> => {
  const deadline = performance.now() + REACTION_MS;
  let wait = REACTION_MS;
  while (wait > 0 && (await waitForEvent(command, wait, signal))) {
    if (command.state().status !== "running") return;
    wait = Math.min(QUIET_MS, deadline - performance.now());
  }
};

/** Resolves when the signal is aborted. */
export const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
