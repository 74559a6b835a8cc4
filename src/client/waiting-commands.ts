const waiting = new Set<object>();
const listeners = new Set<() => void>();

/** Records whether a command waits for the server. */
export const setWaiting = (command: object, isWaiting: boolean): void => {
  if (waiting.has(command) === isWaiting) return;
  if (isWaiting) waiting.add(command);
  else waiting.delete(command);
  listeners.forEach((listener) => listener());
};

export const countWaitingCommands = (): number => waiting.size;

/** @returns a function that unsubscribes. */
export const subscribeToWaitingCommands = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
