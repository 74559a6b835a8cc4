import type { ApprovalRulePage } from "@/contract/approval-rule";
import type {
  AlternativeRef,
  BoundaryRef,
  ChatRef,
  CompactInput,
  DecideApprovalsInput,
  EditMessageInput,
  FindMessagesInput,
  ForkChatInput,
  InterruptInput,
  ListApprovalRulesInput,
  ListChatsInput,
  ListMessagesInput,
  MarkReadInput,
  OpenChatInput,
  PromoteInput,
  QueuedMessageRef,
  RegenerateInput,
  SendMessageInput,
  StreamInput,
  TaskRef,
  UpdateChatInput,
} from "@/contract/chat-inputs";
import type {
  BegunTurn,
  ChatPage,
  FoundMessages,
  MessagePage,
  OpenedChat,
  SendMessageOutput,
} from "@/contract/chat-outputs";
import type { FieldTexts, SchemaTexts } from "./schema-texts";
import { PARAMETER_TEXTS, SHARED } from "./shared";

export const CHAT_INPUTS_TEXTS = {
  "chats.list": {
    archived: [
      "True for archived chats alone, `any` for these and the others. The default is `any` with an `external_id`, else false.",
    ],
    q: ["Searches titles and messages.", "deploy"],
    label: [
      "Only chats with this label: `key=value`, or `key`. Repeated, only chats with all of them. `key:value` is an older form.",
      "team=web",
    ],
    status: ["Only chats in this state: see `docs/chat-states.md`."],
    needs_you: ["True for the chats that wait for a person alone, false for all others."],
    forked_from: ["Only the forks of this chat.", "0198c0de-0000-7000-8000-000000000001"],
    external_id: ["Only the chat with this id of its client.", "C024-1712.001"],
    temporary: [
      "True for temporary chats only. Otherwise they are listed with `needs_you`, `forked_from` and `external_id` only.",
      true,
    ],
    cursor: ["`next_cursor` of the page before.", "eyJpZCI6IjEifQ"],
    limit: ["Most chats of the page.", 50],
    data: ["The chats of the page."],
    next_cursor: [
      "The cursor of the next page; missing on the last one.",
      "0198c0de-0000-7000-8000-000000000001",
    ],
  } satisfies FieldTexts<ListChatsInput | ChatPage>,
  "chats.get": {
    chat_id: SHARED.chat_id,
  } satisfies FieldTexts<ChatRef>,
  "chats.update": {
    chat_id: SHARED.chat_id,
    title: ["The new title.", "Deploy v12"],
    archived: ["True to archive the chat, false to bring it back."],
    pinned: ["True to keep the chat at the top."],
    labels: SHARED.labels,
    model_id: SHARED.model_id,
    ...PARAMETER_TEXTS,
    tools: [
      "Names of the server's tools that the chat may use, besides those of its groups; null without groups is all.",
      ["current_time"],
    ],
    groups: SHARED.groups,
    auto_submit: SHARED.auto_submit,
    wake_on_reports: SHARED.wake_on_reports,
    system_prompt: [
      "Instructions for the model from the next step on; null removes them.",
      "Be brief.",
    ],
    dynamic_tools: [
      "Tools that the client runs, in place of those that it has declared before; those of groups stay. They count from the next step on: open calls keep what they were declared with.",
    ],
    action_timeout_seconds: ["How long required actions of later steps stay open.", 3_600],
    labels_merge: [
      "Labels to set, or with null to remove; all others stay. Not with `labels`.",
      { team: "web", draft: null },
    ],
    if_version: [
      "The version that the chat must have; otherwise 409 and nothing changes. As the header `If-Match`.",
      3,
    ],
    temporary: ["False makes a temporary chat an ordinary one, which is listed and kept.", false],
  } satisfies FieldTexts<UpdateChatInput>,
  "chats.delete": {
    chat_id: SHARED.chat_id,
  } satisfies FieldTexts<ChatRef>,
  "chats.markRead": {
    chat_id: SHARED.chat_id,
    version: ["The version of the chat that the person has read.", 3],
  } satisfies FieldTexts<MarkReadInput>,
  "chats.open": {
    chat_id: SHARED.chat_id,
    limit: ["Most messages of the page.", 50],
    chat: ["The chat."],
    data: ["The newest messages of the chat."],
    has_more: ["True if there are older messages."],
    tasks: ["The tasks that have not ended.", []],
    agents: ["The agents that the chat has started, the oldest first.", []],
    origin: ["The chat that this one is a fork of; null for others, and once that is deleted."],
    forks: ["The newest forks of the chat, the newest first; `GET /chats` lists all.", []],
  } satisfies FieldTexts<OpenChatInput | OpenedChat>,
  "messages.list": {
    chat_id: SHARED.chat_id,
    before: ["Only messages with a smaller `seq`.", 9],
    after: ["Only messages with a larger `seq`.", 0],
    limit: ["Most messages of the page.", 50],
    data: ["The messages of the page."],
    queued: ["The messages that wait for the end of the turn."],
    has_more: ["True if there are older messages."],
    version: ["The chat's version, which each change raises by one.", 3],
  } satisfies FieldTexts<ListMessagesInput | MessagePage>,
  "messages.search": {
    chat_id: SHARED.chat_id,
    q: ["A text of messages, as it is written, in any case.", "deploy"],
    before: ["Only messages with a smaller `seq`: `next_before` of the page before.", 9],
    data: [
      "The messages that have the text, the newest first. A page before the last may have none.",
    ],
    next_before: ["The `before` of the next page; null on the last one.", null],
  } satisfies FieldTexts<FindMessagesInput | FoundMessages>,
  "messages.send": {
    chat_id: SHARED.chat_id,
    content: SHARED.content,
    busy_behavior: [
      "What happens while a turn runs: the message waits in the queue for its end, interrupts it, is refused, or steers it. Then it enters the turn before the next call of the model, or with the results that the turn waits for.",
    ],
    cancel_calls: SHARED.cancel_calls,
    model_id: SHARED.model_id,
    ...PARAMETER_TEXTS,
    response_format: SHARED.response_format,
    mentions: SHARED.mentions,
    queued: ["True if the message waits in the queue."],
    message: ["The message."],
    queued_message: ["The message in the queue."],
    version: ["The chat's version with the message.", 3],
    chat: ["With `Prefer: wait=N`, the chat when the wait has ended."],
  } satisfies FieldTexts<SendMessageInput | SendMessageOutput>,
  "messages.edit": {
    chat_id: SHARED.chat_id,
    message_id: ["The id of the message.", "0198c0de-0000-7000-8000-000000000002"],
    content: SHARED.content,
    ...PARAMETER_TEXTS,
    mentions: SHARED.mentions,
  } satisfies FieldTexts<EditMessageInput>,
  BegunTurn: {
    version: ["The chat's version in which the turn begins, or goes on.", 3],
  } satisfies FieldTexts<BegunTurn>,
  "chats.regenerate": {
    chat_id: SHARED.chat_id,
    model_id: SHARED.model_id,
    ...PARAMETER_TEXTS,
  } satisfies FieldTexts<RegenerateInput>,
  "chats.fork": {
    chat_id: SHARED.chat_id,
    after_seq: [
      "The number of the last message that the fork takes over; the last one of the chat by default.",
      4,
    ],
    title: ["The title of the fork; by default that of the chat, and `(branch)`.", "Deploy v13"],
  } satisfies FieldTexts<ForkChatInput>,
  "chats.continue": {
    chat_id: SHARED.chat_id,
  } satisfies FieldTexts<ChatRef>,
  "chats.compact": {
    chat_id: SHARED.chat_id,
    instructions: [
      "What the summary has to keep in particular.",
      "Keep the decisions about the schema",
    ],
  } satisfies FieldTexts<CompactInput>,
  "chats.clear": {
    chat_id: SHARED.chat_id,
  } satisfies FieldTexts<ChatRef>,
  "messages.undo": {
    chat_id: SHARED.chat_id,
    message_id: [
      "The id of the message with the part `summary`.",
      "0198c0de-0000-7000-8000-000000000002",
    ],
  } satisfies FieldTexts<BoundaryRef>,
  "messages.choose": {
    chat_id: SHARED.chat_id,
    message_id: [
      "The id of a message that was replaced: one of the `ids` of `alternatives`, or of `former_answers`.",
      "0198c0de-0000-7000-8000-000000000002",
    ],
  } satisfies FieldTexts<AlternativeRef>,
  "queue.delete": {
    chat_id: SHARED.chat_id,
    queued_id: ["The id of the queued message.", "0198c0de-0000-7000-8000-000000000004"],
  } satisfies FieldTexts<QueuedMessageRef>,
  "queue.promote": {
    chat_id: SHARED.chat_id,
    queued_id: ["The id of the queued message.", "0198c0de-0000-7000-8000-000000000004"],
    behavior: [
      "What happens to a turn that runs: it is interrupted for the message, or takes it before its next call of the model.",
    ],
    cancel_calls: SHARED.cancel_calls,
  } satisfies FieldTexts<PromoteInput>,
  "chats.interrupt": {
    chat_id: SHARED.chat_id,
    cancel_calls: SHARED.cancel_calls,
  } satisfies FieldTexts<InterruptInput>,
  "chats.decideApprovals": {
    chat_id: SHARED.chat_id,
    decisions: ["A decision on each call."],
    "decisions.chat_id": [null, "0198c0de-0000-7000-8000-000000000001"],
    "decisions.tool_call_id": SHARED.tool_call_id,
    "decisions.decision": ["Whether the call may run."],
    "decisions.args": [
      "What the call runs with instead of the model's arguments, checked as the tool's input. The model is told. Only with an approval.",
      { command: "npm test" },
    ],
    "decisions.reason": ["Why, for the model.", "Not on a Friday."],
    "decisions.scope": [
      "`chat` also approves later calls with the same `approval_scope`, or that match the `pattern`, in the chat and its agents; `tool` approves those that match the `pattern` in all chats of the person, which an API key may do only with the scope `admin`.",
    ],
    "decisions.pattern": [
      "The words of a command, of which `*` as the last one stands for one or more; only for tools with an `approval_pattern`, and it must match the approved call. Commands with special characters match no pattern.",
      "npm run *",
    ],
  } satisfies FieldTexts<DecideApprovalsInput>,
  "tasks.cancel": {
    task_id: SHARED.task_id,
  } satisfies FieldTexts<TaskRef>,
  "chats.reconcile": {
    chat_id: SHARED.chat_id,
  } satisfies FieldTexts<ChatRef>,
  "approvalRules.list": {
    cursor: ["`next_cursor` of the page before."],
    limit: ["Most rules of the page.", 50],
    data: ["The rules of the page."],
    next_cursor: [
      "The cursor of the next page; missing on the last one.",
      "0198c0de-0000-7000-8000-000000000001",
    ],
  } satisfies FieldTexts<ListApprovalRulesInput | ApprovalRulePage>,
  "chats.watch": {
    chat_id: SHARED.chat_id,
    after: ["The last chat version that the client has; 0 for none.", 0],
  } satisfies FieldTexts<StreamInput>,
} satisfies SchemaTexts;
