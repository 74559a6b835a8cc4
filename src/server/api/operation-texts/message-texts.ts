import {
  MAX_CONTENT_PARTS,
  MAX_MESSAGE_FILES,
  MAX_MESSAGE_PAGE_BYTES,
  MAX_QUEUED_MESSAGES,
} from "@/contract/limits";
import { formatCount } from "@/server/api/format-count";
import { ARCHIVED, type OperationTexts, UNKNOWN_CHAT } from "./operation-text";

const BUSY = "`409` while the chat is busy, or archived.";

export const MESSAGE_OPERATION_TEXTS = {
  "messages.list": {
    about:
      "In the order of their `seq`: without `before` and `after` the newest ones, with the queue in `queued`. `version` is that of the chat at this moment, from which `chats.watch` goes on. Messages that an edit has replaced are not in it.",
    refusals: [UNKNOWN_CHAT],
    limits: `A page has at most ${formatCount(MAX_MESSAGE_PAGE_BYTES)} bytes of parts; a message that is larger is a page of its own.`,
  },
  "messages.search": {
    about: "Has for each message that contains the text a piece of it, the newest first.",
    refusals: [UNKNOWN_CHAT],
  },
  "messages.send": {
    about:
      "A chat that rests answers at once. For one that is busy, `busy_behavior` decides: `queue` sends it when the turn has ended, `steer` before the next model call, `interrupt` stops the turn for it, and `reject` refuses it. The answer has `message`, or `queued_message` for one in the queue.",
    refusals: [
      "`400` for an unknown model, or mentions of unknown tools and groups.",
      UNKNOWN_CHAT,
      "`409` for an interrupt that would cancel other calls than `cancel_calls`.",
      "`400` for files that the message cannot have.",
      "`409` `chat_archived`, and with `reject` `chat_busy`.",
      "`429` when the queue is full, or files leave no room.",
    ],
    limits: `A message has up to ${MAX_CONTENT_PARTS} parts, ${MAX_MESSAGE_FILES} of them files; a queue up to ${MAX_QUEUED_MESSAGES} messages.`,
    examples: {
      minimal: { content: "And now v13" },
      full: {
        content: [{ type: "text", text: "And now v13" }],
        busy_behavior: "interrupt",
        cancel_calls: ["call_1"],
        reasoning_effort: "low",
        mentions: { tools: ["current_time"], groups: [] },
      },
    },
  },
  "messages.edit": {
    about:
      "The message and all after it become an alternative, which `messages.choose` brings back; open calls are closed, the queue is emptied, and the chat answers the new text.",
    refusals: [
      "`404` for an unknown chat or message.",
      "`400` for a message that is no user's, and for unknown tools, groups and files.",
      ARCHIVED,
    ],
    repetition: "A repetition edits the new message again: it is a `404`, as that has another id.",
    examples: {
      minimal: { content: "Deploy v13" },
      full: { content: [{ type: "text", text: "Deploy v13" }], temperature: 0.2 },
    },
  },
  "messages.choose": {
    about: "What is there instead becomes the alternative. Nothing is answered anew.",
    refusals: [
      "`404` for an unknown chat, or a message that is no alternative.",
      "`409` while the chat is busy, or archived, or for an alternative within another one that is not chosen.",
    ],
  },
  "messages.undo": {
    about:
      "For the newest boundary of the history alone: a summary, or where the context was cleared.",
    refusals: [
      "`404` for an unknown message.",
      "`400` for one that is no boundary.",
      "`409` while the chat is busy, or archived, or for a boundary that is not the newest.",
    ],
  },
  "chats.regenerate": {
    about:
      "The answer so far becomes an alternative. With `model_id` the chat has another model from then on. What is left out of the parameters is as it was.",
    refusals: [
      "`400` for an unknown model.",
      UNKNOWN_CHAT,
      "`409` `chat_busy`, and for an archived chat.",
    ],
    examples: { minimal: {}, full: { reasoning_effort: "high", temperature: 0.5 } },
  },
  "chats.continue": {
    about: "The turn may take the full number of steps again.",
    refusals: [
      UNKNOWN_CHAT,
      "`409` for a turn that does not rest after results, and for an archived chat.",
    ],
  },
  "chats.compact": {
    about:
      "A worker calls the model for the summary; the history stays for people. A chat that rested rests again, and a turn that has failed goes on.",
    refusals: [UNKNOWN_CHAT, "`409` while the chat is busy, archived, or has a paused queue."],
    examples: { minimal: {}, full: { instructions: "Keep the decisions" } },
  },
  "chats.clear": {
    about: "Messages that nobody has answered stay in what the model reads.",
    refusals: [UNKNOWN_CHAT, `${BUSY.slice(0, -1)}, or if the model reads nothing anyway.`],
  },
  "chats.interrupt": {
    about:
      "A chat that waits for calls rests at once, and these are closed as `cancelled`; claims of programs end with them. A chat whose model writes is `interrupting` until its worker has kept the text.",
    refusals: [
      UNKNOWN_CHAT,
      "`409` when there is nothing to stop, or when other calls than `cancel_calls` are open.",
    ],
    examples: { minimal: {}, full: { cancel_calls: ["call_1"] } },
  },
  "queue.delete": {
    about: "The others move up.",
    refusals: [
      UNKNOWN_CHAT,
      "`409` when the queue is empty.",
      "`404` for an unknown message of the queue.",
    ],
  },
  "queue.promote": {
    about:
      "A chat that rests answers it at once. A busy one is interrupted for it, or with `behavior` set to `steer` takes it before the next model call.",
    refusals: [
      UNKNOWN_CHAT,
      "`409` when the queue is empty, when other calls than `cancel_calls` are open, or for an agent that has not begun.",
      "`404` for an unknown message of the queue.",
    ],
    examples: { minimal: {}, full: { behavior: "interrupt", cancel_calls: ["call_1"] } },
  },
} as const satisfies OperationTexts;
