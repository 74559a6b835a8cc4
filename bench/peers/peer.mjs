/**
 * The result of one request to a chat, as its client sees it when the chat is idle again.
 *
 * @typedef {{
 *   characters: number,
 *   firstTextAt: number | undefined,
 *   bytes: number,
 *   openCall: string | undefined,
 * }} TurnResult
 */

/**
 * A system under test. `send` and `answer` resolve when the chat is idle, and reject on any error.
 *
 * @typedef {{
 *   name: string,
 *   createChat: (options?: { tools: boolean }) => Chat,
 *   send: (chat: Chat, text: string) => Promise<TurnResult>,
 *   answer: (chat: Chat, toolCallId: string, output: string) => Promise<TurnResult>,
 *   close: (chat: Chat) => void,
 *   prepareWatchers: (count: number, kind: "chat" | "watch") => Promise<(count: number) => Promise<() => void>>,
 * }} Peer
 */

/** @typedef {any} Chat a peer's state of a chat */

export {};
