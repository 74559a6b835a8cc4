import type {
  Goodbye,
  PreviewOp,
  StreamEvent,
  WatchEvent,
  WatchInput,
} from "@/contract/stream-event";
import type { FieldTexts, SchemaTexts } from "./schema-texts";
import { SHARED } from "./shared";

export const STREAM_EVENT_TEXTS = {
  MessageEvent: {
    type: ["The kind of the event."],
    message: ["The message."],
  } satisfies FieldTexts<Extract<StreamEvent, { type: "message" }>>,
  MessageDeletedEvent: {
    type: ["The kind of the event."],
    id: ["The id of the message that was deleted."],
  } satisfies FieldTexts<Extract<StreamEvent, { type: "message-deleted" }>>,
  TaskEvent: {
    type: ["The kind of the event."],
    task: ["The task."],
  } satisfies FieldTexts<Extract<StreamEvent, { type: "task" }>>,
  AgentsEvent: {
    type: ["The kind of the event."],
    agents: [
      "All agents of the chat, the oldest first; what they wait for is its `child_actions` from now on.",
      [],
    ],
  } satisfies FieldTexts<Extract<StreamEvent, { type: "agents" }>>,
  ChatEvent: {
    type: ["The kind of the event."],
    chat: ["The chat."],
  } satisfies FieldTexts<Extract<StreamEvent, { type: "chat" }>>,
  PreviewResetEvent: {
    type: ["The kind of the event."],
    attempt: ["The try of the model call; a higher one replaces the preview.", 1],
  } satisfies FieldTexts<Extract<StreamEvent, { type: "preview-reset" }>>,
  PreviewEvent: {
    type: ["The kind of the event."],
    attempt: ["The try of the model call; a higher one replaces the preview.", 1],
    seq: ["The number of the batch in its preview: 0, 1, 2 and so on.", 1],
    ops: ["Changes of the preview, in order."],
  } satisfies FieldTexts<Extract<StreamEvent, { type: "preview" }>>,
  PreviewOp: {
    op: ["What changes."],
    index: ["The position of the part in the message.", 0],
    text: ["The text to add.", "Deploy v12"],
    started_at: ["When the reasoning or the call began."],
    completed_at: ["When the reasoning ended."],
    tool_call_id: SHARED.tool_call_id,
    tool_name: SHARED.tool_name,
    kind: ["Where the tool comes from."],
    message_id: [
      "The id of the message that has the call.",
      "0198c0de-0000-7000-8000-000000000002",
    ],
    phase: ["What the tool does at the moment.", "thinking"],
    part: ["The number of the model call that sums up the history, from 1 on.", 1],
    parts: ["How many such calls there are.", 1],
  } satisfies FieldTexts<PreviewOp>,
  CaughtUpEvent: {
    type: ["The kind of the event."],
    version: ["The chat's version, which each change raises by one.", 3],
  } satisfies FieldTexts<Extract<StreamEvent, { type: "caught-up" }>>,
  GoodbyeEvent: {
    type: ["The kind of the event."],
    reason: [
      "Why the server ends the stream: `restart` when it stops or starts again, `token_expired` when the token of the request has ended. There may be more reasons.",
      "restart",
    ],
    retry_after_ms: ["After which time a client should connect again, in milliseconds.", 1_800],
  } satisfies FieldTexts<Goodbye>,
  ChatCreatedEvent: {
    type: ["The kind of the event."],
    chat: ["The chat."],
  } satisfies FieldTexts<Extract<WatchEvent, { type: "chat.created" }>>,
  ChatUpdatedEvent: {
    type: ["The kind of the event."],
    chat: ["The chat."],
  } satisfies FieldTexts<Extract<WatchEvent, { type: "chat.updated" }>>,
  ChatDeletedEvent: {
    type: ["The kind of the event."],
    id: ["The id of the chat that was deleted."],
  } satisfies FieldTexts<Extract<WatchEvent, { type: "chat.deleted" }>>,
  ActionRequiredEvent: {
    type: ["The kind of the event."],
    chat: ["The chat."],
    root_chat_id: [
      "The chat that takes the answers with `chat_id`, if an agent of it asks; else the chat itself.",
      "0198c0de-0000-7000-8000-000000000001",
    ],
    required_action: ["What the chat waits for; null if it does not wait."],
  } satisfies FieldTexts<Extract<WatchEvent, { type: "chat.action_required" }>>,
  CallOpenedEvent: {
    type: ["The kind of the event."],
    chat: ["The chat as it is now."],
    root_chat_id: [
      "The root chat, if the chat is of an agent; else the chat itself.",
      "0198c0de-0000-7000-8000-000000000001",
    ],
    message_id: [
      "The id of the message that has the call.",
      "0198c0de-0000-7000-8000-000000000002",
    ],
    tool_call_id: SHARED.tool_call_id,
    tool_name: SHARED.tool_name,
  } satisfies FieldTexts<Extract<WatchEvent, { type: "call.opened" }>>,
  CallClaimedEvent: {
    type: ["The kind of the event."],
    chat: ["The chat as it is now."],
    root_chat_id: [
      "The root chat, if the chat is of an agent; else the chat itself.",
      "0198c0de-0000-7000-8000-000000000001",
    ],
    message_id: [
      "The id of the message that has the call.",
      "0198c0de-0000-7000-8000-000000000002",
    ],
    tool_call_id: SHARED.tool_call_id,
    tool_name: SHARED.tool_name,
  } satisfies FieldTexts<Extract<WatchEvent, { type: "call.claimed" }>>,
  CallClosedEvent: {
    type: ["The kind of the event."],
    chat: ["The chat as it is now."],
    root_chat_id: [
      "The root chat, if the chat is of an agent; else the chat itself.",
      "0198c0de-0000-7000-8000-000000000001",
    ],
    message_id: [
      "The id of the message that has the call.",
      "0198c0de-0000-7000-8000-000000000002",
    ],
    tool_call_id: SHARED.tool_call_id,
    tool_name: SHARED.tool_name,
  } satisfies FieldTexts<Extract<WatchEvent, { type: "call.closed" }>>,
  TurnEndedEvent: {
    type: ["The kind of the event."],
    chat: ["The chat as it is now."],
    root_chat_id: [
      "The root chat, if the chat is of an agent; else the chat itself.",
      "0198c0de-0000-7000-8000-000000000001",
    ],
    version: ["The version that the chat got with the event.", 5],
  } satisfies FieldTexts<Extract<WatchEvent, { type: "turn.ended" }>>,
  TurnFailedEvent: {
    type: ["The kind of the event."],
    chat: ["The chat as it is now."],
    root_chat_id: [
      "The root chat, if the chat is of an agent; else the chat itself.",
      "0198c0de-0000-7000-8000-000000000001",
    ],
    version: ["The version that the chat got with the event.", 5],
  } satisfies FieldTexts<Extract<WatchEvent, { type: "turn.failed" }>>,
  ResetEvent: {
    type: ["The kind of the event."],
  } satisfies FieldTexts<Extract<WatchEvent, { type: "reset" }>>,
  WatchCaughtUpEvent: {
    type: ["The kind of the event."],
  } satisfies FieldTexts<Extract<WatchEvent, { type: "caught-up" }>>,
  "chats.watchAll": {
    after: [
      "The id of the last event that the client has, from which the stream goes on; `0` is none.",
      "1024-7",
    ],
    types: [
      "The kinds of events to send, separated by commas: the stream then has ids.",
      "turn.ended,turn.failed",
    ],
    label: [
      "Only chats with this label, `key=value`, and their agents; repeated, only those with all. Deletions are then not told of chats that the stream has not told before.",
      "app=slackbot",
    ],
    tool: [
      "Only events about a call of this tool, or of one of these: required actions, and calls that are opened, claimed or closed.",
      "deploy",
    ],
    toolset: [
      "Only events about a call of a tool whose name begins as those of this toolset.",
      "crm",
    ],
  } satisfies FieldTexts<WatchInput>,
} satisfies SchemaTexts;
