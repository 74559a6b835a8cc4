/** Of English and code; other languages have more bytes in a token, so that an estimate of their tokens is low. */
export const BYTES_PER_TOKEN = 4;

/** Estimates the tokens of a text from its size in bytes. */
export const toTokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);
