/**
 * What became of one request to a chat, seen by its client when the chat rests again.
 *
 * @typedef {{
 *   characters: number,
 *   firstTextAt: number | undefined,
 *   bytes: number,
 *   openCall: string | undefined,
 * }} Rest
 */

/**
 * A system under test. `send` and `answer` resolve when the chat rests, and reject on any error.
 *
 * @typedef {{
 *   name: string,
 *   createChat: (options?: { tools: boolean }) => Chat,
 *   send: (chat: Chat, text: string) => Promise<Rest>,
 *   answer: (chat: Chat, toolCallId: string, output: string) => Promise<Rest>,
 *   close: (chat: Chat) => void,
 * }} Peer
 */

/** @typedef {any} Chat what a peer keeps of a chat */

export {};
