const MIN_BYTES = 16 * 1024;
const DEFAULT_BYTES = 64 * 1024;
const MAX_BYTES = 256 * 1024;

/**
 * How much of one result's text the model gets, in bytes: a third of its context at some three
 * bytes a token, which is as many bytes as the context has tokens.
 *
 * @param contextLimit tokens; null when it is not known.
 */
export const outputBudget = (contextLimit: number | null): number =>
  contextLimit === null ? DEFAULT_BYTES : Math.min(MAX_BYTES, Math.max(MIN_BYTES, contextLimit));
