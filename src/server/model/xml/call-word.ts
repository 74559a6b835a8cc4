import { createHmac, hkdfSync } from "node:crypto";

/** Returns the word by which the calls of a chat are told from texts that look like calls. */
export type FindCallWord = (chatId: string) => string;

/** Short enough for small models to repeat it, and too long to be guessed: 40 bits. */
const WORD_LENGTH = 10;

/** @param secret the server's; its use here differs from all others by the label of the derivation. */
export const createCallWords = (secret: string): FindCallWord => {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "parley call words", 32));
  return (chatId) => createHmac("sha256", key).update(chatId).digest("hex").slice(0, WORD_LENGTH);
};
