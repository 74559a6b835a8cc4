import {
  MAX_ARTIFACT_BYTES,
  MAX_CHAT_ARTIFACT_BYTES,
  MAX_DYNAMIC_TOOLS,
  MAX_HISTORY_MESSAGES,
  MAX_HISTORY_PARTS,
  MAX_LABELS,
  MAX_OWNER_ARTIFACT_BYTES,
} from "@/contract/limits";
import { formatCount } from "@/server/api/format-count";
import { type OperationTexts, UNKNOWN_CHAT } from "./operation-text";

const toMegabytes = (bytes: number): number => bytes / 1024 / 1024;

const DEPLOY = {
  name: "deploy",
  description: "Deploys a version",
  input_schema: {
    type: "object",
    properties: { version: { type: "string" } },
    required: ["version"],
  },
  output_schema: { type: "object", properties: { ok: { type: "boolean" } } },
  timeout_seconds: 600,
};

export const CHAT_OPERATION_TEXTS = {
  "chats.create": {
    about:
      "Makes a chat and answers its last message, if that is of the user: the chat is `pending` until a worker goes on, or `running` already. With `external_id` it is made once: of requests at the same time one makes the chat, and `if_exists` says what the others do, `200` instead of `201`.",
    refusals: [
      "`403` for a token of one chat, labels or tools that the key is not for, and tools of the caller where an administrator has turned these off.",
      "`400` for an unknown model, file, tool or group.",
      "`429` when the files leave no room.",
      "`409` `external_id_taken`, with `chat_id`; with `if_exists` set to `send`, what `messages.send` refuses.",
    ],
    limits: `A history has up to ${formatCount(MAX_HISTORY_MESSAGES)} messages with ${formatCount(MAX_HISTORY_PARTS)} parts, a chat up to ${MAX_DYNAMIC_TOOLS} tools of its own and ${MAX_LABELS} labels.`,
    repetition:
      "Send an `Idempotency-Key`, or an `external_id`: the same conversation then never becomes two chats.",
    examples: {
      minimal: { content: "Deploy v12" },
      full: {
        content: [{ type: "text", text: "Deploy v12" }],
        system_prompt: "You deploy our services.",
        dynamic_tools: [DEPLOY],
        tools: ["current_time"],
        groups: [],
        auto_submit: { success: true, error: true },
        labels: { app: "slackbot", thread: "1712.001" },
        external_id: "C024-1712.001",
        if_exists: "send",
        busy_behavior: "queue",
        action_timeout_seconds: 3_600,
        max_steps: 50,
      },
    },
  },
  "chats.list": {
    about:
      "The last changed first; of a search, in its order. Filters are combined: a chat must fit all of them. A page of a search may have no chats and a `next_cursor`.",
    refusals: ["`400` for a cursor of another list."],
  },
  "chats.get": {
    about:
      "Has the status, what the chat waits for (`required_action`, `child_actions`), its queue count, its last answer, and why it has failed. `version` goes up with each change.",
    refusals: [UNKNOWN_CHAT, "`429` for too many requests that wait."],
  },
  "chats.update": {
    about:
      "Changes what is given, and leaves the rest. It counts from the next step of a turn; calls that are open keep the tool that they were made with. `labels` replaces all labels, `labels_merge` changes some. Archiving is for root chats, with their agents.",
    refusals: [
      "`400` for an unknown model.",
      "`403` for tools that the key is not for.",
      UNKNOWN_CHAT,
      "`409` `version_mismatch` with `If-Match`.",
      "`400` for an unknown tool or group.",
      "`403` for labels that the key is not for.",
      "`409` for archiving a chat that is busy, itself or by an agent.",
    ],
    examples: {
      minimal: { title: "Deploy v12" },
      full: {
        title: "Deploy v12",
        pinned: true,
        labels_merge: { team: "web", thread: null },
        system_prompt: "You deploy our services.",
        dynamic_tools: [DEPLOY],
        tools: ["current_time"],
        action_timeout_seconds: 3_600,
      },
    },
  },
  "chats.fork": {
    about:
      "The fork has the settings, the history up to a message, and the files; it rests. The chat that it comes from does not change, and what its tasks and agents do stays there.",
    refusals: [
      "`403` for a token of one chat.",
      UNKNOWN_CHAT,
      "`400` for the chat of an agent.",
      "`409` for an archived chat, or while a turn is active.",
      "`400` for an `after_seq` that no message has.",
    ],
    examples: { minimal: {}, full: { after_seq: 2, title: "Deploy v12, another way" } },
  },
  "chats.markAllRead": {
    about: "Marks every chat of the caller's user up to its present version.",
  },
  "chats.markRead": {
    about: "A mark never goes back, so a request that comes late changes nothing.",
    refusals: [UNKNOWN_CHAT, "`400` for a version that the chat does not have yet."],
    examples: { minimal: { version: 1 }, full: { version: 1 } },
  },
  "chats.delete": {
    about:
      "Deletes the history, the files, the agents and the open calls at once. Forks keep the files that they share.",
    refusals: [
      UNKNOWN_CHAT,
      "`400` for the chat of an agent, which is deleted with its root chat.",
      "`409` while the chat or an agent of it is busy.",
    ],
    repetition: "A repetition is a `404`.",
  },
  "chats.open": {
    about:
      "What a page needs to show a chat, in one answer: `chats.watch` with its version as `after` has all that comes later.",
    refusals: [UNKNOWN_CHAT],
  },
  "chats.children": {
    about:
      "Agents are chats; each has the state of its task. Their histories are read as of any chat.",
    refusals: [UNKNOWN_CHAT],
  },
  "chats.reconcile": {
    about:
      "For a chat whose row says what cannot be, after a fault: it goes to `error`, its open calls are closed, and its queue stays.",
    refusals: [
      UNKNOWN_CHAT,
      "`409` for a chat whose state is valid, which is every chat in normal operation.",
    ],
  },
  "chats.export": {
    about:
      "Written while it is sent, so it has no length and no ranges. JSON has everything that an import reads; Markdown is for people.",
    refusals: [UNKNOWN_CHAT],
  },
  "chats.exportAll": {
    about:
      "Written while it is sent, chat by chat. A chat that changes meanwhile is in it as it was when it was read.",
  },
  "chats.watch": {
    about:
      "First what has changed after `after`, then the present state, then `caught-up`, then what happens. Without `after`, it begins with the whole history. `preview` is the answer that is being written and is never stored: `preview-reset` ends it.",
    refusals: [
      "`429` for too many streams of the key.",
      UNKNOWN_CHAT,
      "`400` for an `after` that is ahead of the chat.",
    ],
    repetition:
      "Connect again with the last `id`: nothing is lost, and a message may come twice with a higher `revision`.",
  },
  "chats.watchAll": {
    about:
      "Without `after` and `types`, begins with the chats that wait for a client, and has no cursor: for pages. With one of them, it has the events of the caller's chats in order, kept for seven days, each with an `id`: for programs that must miss nothing. `reset` says that a cursor is too old; what is open follows.",
    refusals: ["`429` for too many streams of the key."],
    repetition: "Connect again with the last `id` that was handled.",
  },
} as const satisfies OperationTexts;

export const TASK_OPERATION_TEXTS = {
  "tasks.list": {
    about:
      "A task is work that goes on after its call: `tool_call_id` is that of the call, whose part has the same `task_id`. `report` is what it has ended with.",
    refusals: [UNKNOWN_CHAT],
  },
  "tasks.cancel": {
    about:
      "The process that runs it stops it a moment later; the answer has the task as it is now. An agent reports what it has made so far.",
    refusals: ["`404` for an unknown task."],
  },
} as const satisfies OperationTexts;

export const FILE_OPERATION_TEXTS = {
  "files.create": {
    about:
      "What the file is, is found by its content. With `chat_id` it is a file of that chat; without one it waits for the message or the result that names it, up to a week. A key with `calls:answer` alone sends files of results: to chats that wait for a result which it may give, so `chat_id` must be given.",
    refusals: [
      "`400` for a HEIC image, or for content that is not what was declared; for a key with `calls:answer` alone, without `chat_id`.",
      UNKNOWN_CHAT,
      "`403` for such a key, if the chat waits for other tools.",
      "`409` `chat_archived` and `call_not_awaited` for such a key.",
      `\`413\` for a file of over ${toMegabytes(MAX_ARTIFACT_BYTES)} MB.`,
      "`429` when the files of the chat or of the caller leave no room.",
    ],
    limits: `A chat has up to ${toMegabytes(MAX_CHAT_ARTIFACT_BYTES)} MB of files, a person up to ${toMegabytes(MAX_OWNER_ARTIFACT_BYTES)} MB.`,
  },
  "files.list": {
    about:
      "What was sent, and what tools have made: then `tool_call_id` is that of the call. `total_count` and `total_size` are of all pages.",
    refusals: [UNKNOWN_CHAT],
  },
  "files.get": {
    about:
      "Images of pixels are shown in place; all else is sent as an attachment. `preview` is an image as models get it.",
    refusals: ["`404` for an unknown file.", "`416` for a range that the file does not have."],
  },
  "files.delete": {
    about: "For a file that was sent and is in no message. One of a chat is deleted with the chat.",
    refusals: ["`404` for an unknown file.", "`409` for a file of a chat."],
    repetition: "A repetition is a `404`.",
  },
} as const satisfies OperationTexts;
