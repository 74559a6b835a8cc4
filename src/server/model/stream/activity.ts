/** By the signal that ends a request, which the provider's client passes on as it is. */
const listeners = new WeakMap<AbortSignal, () => void>();

/** Calls a listener whenever bytes of the answer to a request arrive, also those of comments, which are no parts. */
export const listenToActivity = (signal: AbortSignal, listener: () => void): void => {
  listeners.set(signal, listener);
};

export const reportActivity = (signal: AbortSignal | null | undefined): void => {
  if (signal) listeners.get(signal)?.();
};
