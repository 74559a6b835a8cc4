/** Words with a full stop behind them, unless they end already. */
export const ended = (words: string): string => (/[.!?…]$/.test(words) ? words : `${words}.`);

/** A message's words as a sentence of their own: `is required` → `Is required.` */
export const asSentence = (words: string): string =>
  ended(`${words.charAt(0).toUpperCase()}${words.slice(1)}`);
