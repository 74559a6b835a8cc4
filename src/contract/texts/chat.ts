import type {
  AutoSubmit,
  Chat,
  ChatCompaction,
  ChatLink,
  ChatSnapshot,
  ChatSummary,
  ChildAction,
  ForkOrigin,
  LastAnswer,
  PendingApproval,
  RequiredAction,
} from "@/contract/chat";
import type { FieldText, FieldTexts, SchemaTexts } from "./schema-texts";
import { PARAMETER_TEXTS, SHARED } from "./shared";

const CHAT_IN_ALL_FORMS = {
  id: ["The id of the chat."],
  title: ["The title of the chat.", "Deploy v12"],
  status: ["The state of the chat: see `docs/chat-states.md`."],
  archived: ["True for an archived chat."],
  pinned: ["True if the chat is kept at the top."],
  labels: SHARED.labels,
  external_id: ["The id that its client has given the chat; absent without one.", "C024-1712.001"],
  parent_chat_id: ["The chat that started this one; null for a root chat."],
  root_chat_id: ["The root of the tree of chats; the chat itself for a root."],
  expires_at: [
    "When a temporary chat is deleted, if nothing changes until then; absent for all others.",
    "2026-03-13T12:00:00.000Z",
  ],
  forked_from: ["Where the chat comes from, if it is a fork; else null.", null],
  model_id: [
    "The id of the model of the chat; null for the default one.",
    "0198c0de-0000-7000-8000-000000000003",
  ],
  version: ["The chat's version, which each change raises by one.", 3],
  queued_count: ["How many messages wait.", 0],
  created_at: ["When the chat was made."],
  updated_at: ["When the chat was last changed."],
} as const satisfies Record<string, FieldText>;

const CHAT_WITH_SETTINGS = {
  system_prompt: ["Instructions for the model, before the history.", "Be brief."],
  ...PARAMETER_TEXTS,
  dynamic_tools: [
    "Tools that the client runs: those that it has declared, and those that groups have brought.",
  ],
  tools: [
    "Names of the server's tools that the chat may use, besides those of its groups; null without groups is all.",
    ["current_time"],
  ],
  groups: SHARED.groups,
  auto_submit: SHARED.auto_submit,
  wake_on_reports: SHARED.wake_on_reports,
  waiting_reports: ["Reports of tasks that the model gets with its next step.", 0],
  warnings: ["Settings that were not applied, and tools that a server refuses, as sentences.", []],
  queue_paused: ["True after a stop with queued messages, until a message is sent.", false],
  required_action: ["What the chat waits for; null if it does not wait."],
  child_actions: ["What the agents of the chat wait for, the oldest agent first.", []],
  retry: ["The next try of a model call that failed; null if none is planned."],
  last_error: ["Why the last turn failed; null if it did not."],
  compaction: [
    "A summary of the history that was asked for and is not written yet, or why the last one failed; null for neither.",
  ],
  usage: ["Tokens and cost of the chat."],
  context: ["How full the context of the model is."],
  "context.used_tokens": ["Tokens of the context after the last step.", 1_450],
  "context.limit_tokens": ["Tokens that the model can read; null if not known.", 400_000],
} as const satisfies Record<string, FieldText>;

const LAST_ANSWER = {
  last_answer: [
    "The newest answer that has a text; null without one. While a turn runs, it may be that of the turn before: its `seq` is then below that of the new message.",
  ],
} as const satisfies Record<string, FieldText>;

const REQUIRED_ACTION = {
  deadline_at: ["When the first of the calls times out."],
  message_id: ["The id of the message that has the calls.", "0198c0de-0000-7000-8000-000000000002"],
  tool_calls: ["Calls that a client answers."],
  approvals: ["Calls that a person approves or rejects."],
} as const satisfies Record<string, FieldText>;

const PENDING_CALL = {
  tool_call_id: SHARED.tool_call_id,
  tool_name: SHARED.tool_name,
  deadline_at: ["When the call times out."],
  args: ["The arguments from the model; a string if they are not valid JSON.", { version: "v12" }],
} as const satisfies Record<string, FieldText>;

export const CHAT_TEXTS = {
  Chat: {
    ...CHAT_IN_ALL_FORMS,
    ...CHAT_WITH_SETTINGS,
    ...LAST_ANSWER,
  } satisfies FieldTexts<Chat>,
  LastAnswer: {
    message_id: ["The message of the answer.", "0198c0de-0000-7000-8000-000000000002"],
    seq: ["Its number in the chat.", 2],
    text: ["Its texts, with empty lines between them.", "Deployed."],
  } satisfies FieldTexts<LastAnswer>,
  ForkOrigin: {
    chat_id: ["The chat that the fork comes from; null once that is deleted."],
    after_seq: ["The number of the last message that the fork has taken over.", 4],
  } satisfies FieldTexts<ForkOrigin>,
  ChatLink: {
    id: ["The id of the chat."],
    title: ["The title of the chat.", "Deploy v12"],
  } satisfies FieldTexts<ChatLink>,
  AutoSubmit: {
    success: ["False if the turn rests when all calls have succeeded.", true],
    error: ["False if the turn rests when a call has failed.", true],
  } satisfies FieldTexts<AutoSubmit>,
  ChatCompaction: {
    status: ["Whether the summary is asked for, or could not be written."],
    instructions: ["What it has to keep in particular.", "Keep the decisions"],
    message: ["Why it could not be written.", "The provider is refusing the API key."],
  } satisfies FieldTexts<ChatCompaction>,
  RequiredAction: REQUIRED_ACTION satisfies FieldTexts<RequiredAction>,
  PendingApproval: {
    ...PENDING_CALL,
    approval_scope: [
      "What an approval for the chat would cover; null for every call of the tool.",
      null,
    ],
  } satisfies FieldTexts<PendingApproval>,
  ChildAction: {
    ...REQUIRED_ACTION,
    chat_id: [
      "The id of the agent's chat, to be given with each answer.",
      "0198c0de-0000-7000-8000-000000000012",
    ],
    title: ["What the agent works on.", "Read the changelogs"],
  } satisfies FieldTexts<ChildAction>,
  ChatSummary: {
    ...CHAT_IN_ALL_FORMS,
    action_deadline_at: ["When the required action of a parked chat expires; null if none is."],
    needs_you: [
      "True if the chat waits for a person: for results, approvals, or the answer to a question of `ask_user_question`.",
    ],
    unread: [
      "True if an answer has come since the person last read the chat. False for agents, and for a chat that the person has never opened.",
    ],
    match: ["In a search: the newest message that has the text; missing for a title."],
    "match.seq": ["The number of the message in the chat.", 1],
    "match.snippet": ["Some text around what was found.", "We deploy v12 on Monday."],
  } satisfies FieldTexts<ChatSummary>,
  ChatSnapshot: {
    ...CHAT_IN_ALL_FORMS,
    ...CHAT_WITH_SETTINGS,
    queue: ["Messages that wait for the end of the turn."],
  } satisfies FieldTexts<ChatSnapshot>,
} satisfies SchemaTexts;
