/**
 * What is called whenever bytes of the answer to a request arrive, also those of comments, which are no parts. By the
 * signal that ends the request, which the provider's client passes on as it is.
 */
export const activityListeners = new WeakMap<AbortSignal, () => void>();
