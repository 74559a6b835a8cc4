import type { ChatStatus } from "@/contract/chat";
import { DomainError } from "@/contract/domain-error";

/**
 * A chat's execution state: its status, whether it is archived, whether messages wait in its
 * queue, and whether a stop has paused the queue. `invalid` is every combination that no transition makes.
 */
export const CHAT_STATES = [
  "waiting",
  "waiting_paused",
  "pending",
  "pending_queued",
  "running",
  "running_queued",
  "interrupting",
  "interrupting_queued",
  "interrupting_paused",
  "requires_action",
  "requires_action_queued",
  "error",
  "error_queued",
  "archived_waiting",
  "archived_waiting_paused",
  "archived_error",
  "archived_error_queued",
  "invalid",
] as const;
export type ChatState = (typeof CHAT_STATES)[number];

/** What can happen to a chat that exists. The first block comes from clients, the second from workers. */
export const CHAT_EVENTS = [
  "send",
  "send_interrupt",
  "send_reject",
  "edit",
  "regenerate",
  "delete_queued",
  "promote",
  "interrupt",
  "complete_action",
  "decide_some",
  "decide_last",
  "archive",
  "unarchive",
  "reconcile",
  "delete",

  "acquire",
  "record_retry",
  "record_attempt",
  "commit_step",
  "enter_action",
  "finish_turn",
  "finish_interruption",
  "fail_turn",
  "expire_action",
  "release",
  "defer",
] as const;
export type ChatEvent = (typeof CHAT_EVENTS)[number];

/**
 * What a transition does to history and queue, in order:
 * `enter` the new message enters the history, `join` it joins the queue's tail, `joined_to_head` it
 * moves to the head, `head_enters` the
 * queue's head enters the history, `chosen_enters` a chosen queued message does, `chosen_to_head`
 * it moves to the head instead, `remove_chosen` it is dropped, `clear_queue` all are, `truncate`
 * the target message and all after it are deleted, `drop_answer` all after the last user message
 * are, `close_calls` open tool calls end without a result.
 */
export type Effect =
  | "enter"
  | "join"
  | "joined_to_head"
  | "head_enters"
  | "chosen_enters"
  | "chosen_to_head"
  | "remove_chosen"
  | "clear_queue"
  | "truncate"
  | "drop_answer"
  | "close_calls";

export type Outcome = {
  to: ChatStatus | "gone";
  effects: readonly Effect[];
  /** Whether the queue is paused afterwards, if messages are in it. Any other outcome resumes it. */
  pausesQueue: boolean;
};

const to = (status: ChatStatus | "gone", ...effects: Effect[]): Outcome => ({
  to: status,
  effects,
  pausesQueue: false,
});

const paused = (outcome: Outcome): Outcome => ({ ...outcome, pausesQueue: true });

const edit = to("pending", "truncate", "clear_queue", "enter");
const gone = to("gone");
const remain = (status: ChatStatus) => ({
  delete_queued: to(status, "remove_chosen"),
});

const busy = (status: "pending" | "running" | "interrupting") => ({
  send: to(status, "join"),
  send_interrupt: to("interrupting", "join"),
  edit,
  interrupt: to("interrupting"),
});
const idle = {
  send: to("pending", "enter"),
  send_interrupt: to("pending", "enter"),
  send_reject: to("pending", "enter"),
  edit,
  regenerate: to("pending", "drop_answer"),
  delete: gone,
};
/** A stop holds the queue back; messages that are sent later come before it. */
const stopped = { interrupt: paused(to("interrupting")) };
const sendFirst = to("interrupting", "join", "joined_to_head");
const working = {
  acquire: to("running"),
  record_retry: to("running"),
  record_attempt: to("running"),
  commit_step: to("running"),
  enter_action: to("requires_action"),
  fail_turn: to("error", "close_calls"),
  release: to("pending"),
  defer: to("pending"),
};
const parked = {
  send: to("requires_action", "join"),
  edit,
  complete_action: to("pending"),
  decide_some: to("requires_action"),
  decide_last: to("pending"),
  expire_action: to("pending", "close_calls"),
};

/** The whole machine. What is not listed is refused and changes nothing. */
const NEXT: Record<ChatState, Partial<Record<ChatEvent, Outcome>>> = {
  waiting: { ...idle, archive: to("waiting") },
  waiting_paused: {
    ...idle,
    delete_queued: paused(to("waiting", "remove_chosen")),
    promote: to("pending", "chosen_enters"),
    archive: paused(to("waiting")),
  },
  pending: { ...busy("pending"), acquire: to("running") },
  pending_queued: {
    ...busy("pending"),
    ...stopped,
    ...remain("pending"),
    promote: to("interrupting", "chosen_to_head"),
    acquire: to("running"),
  },
  running: { ...busy("running"), ...working, finish_turn: to("waiting") },
  running_queued: {
    ...busy("running"),
    ...stopped,
    ...working,
    ...remain("running"),
    promote: to("interrupting", "chosen_to_head"),
    finish_turn: to("pending", "head_enters"),
  },
  interrupting: {
    ...busy("interrupting"),
    acquire: to("interrupting"),
    finish_interruption: to("waiting", "close_calls"),
  },
  interrupting_queued: {
    ...busy("interrupting"),
    ...stopped,
    ...remain("interrupting"),
    promote: to("interrupting", "chosen_to_head"),
    acquire: to("interrupting"),
    finish_interruption: to("pending", "close_calls", "head_enters"),
  },
  interrupting_paused: {
    ...busy("interrupting"),
    ...stopped,
    send: sendFirst,
    send_interrupt: sendFirst,
    delete_queued: paused(to("interrupting", "remove_chosen")),
    promote: to("interrupting", "chosen_to_head"),
    acquire: paused(to("interrupting")),
    finish_interruption: paused(to("waiting", "close_calls")),
  },
  requires_action: {
    ...parked,
    send_interrupt: to("pending", "close_calls", "enter"),
    interrupt: to("waiting", "close_calls"),
  },
  requires_action_queued: {
    ...parked,
    ...remain("requires_action"),
    send_interrupt: to("pending", "close_calls", "join", "head_enters"),
    interrupt: paused(to("waiting", "close_calls")),
    promote: to("pending", "close_calls", "chosen_enters"),
  },
  error: { ...idle, archive: to("error") },
  error_queued: {
    ...idle,
    ...remain("error"),
    send: to("pending", "join", "head_enters"),
    send_interrupt: to("pending", "join", "head_enters"),
    send_reject: to("pending", "join", "head_enters"),
    promote: to("pending", "chosen_enters"),
    archive: to("error"),
  },
  archived_waiting: { unarchive: to("waiting"), delete: gone },
  archived_waiting_paused: { unarchive: paused(to("waiting")), delete: gone },
  archived_error: { unarchive: to("error"), delete: gone },
  archived_error_queued: { unarchive: to("error"), delete: gone },
  invalid: { reconcile: to("error", "close_calls") },
};

/** The columns of a chat's row that decide its state. */
export type StateFacts = {
  status: ChatStatus;
  archivedAt: Date | null;
  queuedCount: number;
  queuePaused: boolean;
};

type ValidState = Exclude<ChatState, "invalid">;
/** The queue of a row: without messages, sent by itself, or held back by a stop. */
export type QueueShape = "empty" | "queued" | "paused";
type StateDefinition = { status: ChatStatus; archived: boolean; queue: QueueShape };

const state = (status: ChatStatus, marks: Partial<StateDefinition> = {}): StateDefinition => ({
  status,
  archived: false,
  queue: "empty",
  ...marks,
});
const queued = { queue: "queued" } as const;
const held = { queue: "paused" } as const;
const archived = { archived: true };

/** What the row of a chat in each valid state looks like. */
export const STATE_DEFINITIONS: Record<ValidState, StateDefinition> = {
  waiting: state("waiting"),
  waiting_paused: state("waiting", held),
  pending: state("pending"),
  pending_queued: state("pending", queued),
  running: state("running"),
  running_queued: state("running", queued),
  interrupting: state("interrupting"),
  interrupting_queued: state("interrupting", queued),
  interrupting_paused: state("interrupting", held),
  requires_action: state("requires_action"),
  requires_action_queued: state("requires_action", queued),
  error: state("error"),
  error_queued: state("error", queued),
  archived_waiting: state("waiting", archived),
  archived_waiting_paused: state("waiting", { ...archived, ...held }),
  archived_error: state("error", archived),
  archived_error_queued: state("error", { ...archived, ...queued }),
};

const VALID_STATES = CHAT_STATES.filter((one) => one !== "invalid");

/** Returns the state of a row; `invalid` when no transition can have made it. */
export const classify = ({ status, archivedAt, queuedCount, queuePaused }: StateFacts): ChatState =>
  stateOf({
    status,
    archived: archivedAt !== null,
    queue: queuedCount === 0 ? "empty" : queuePaused ? "paused" : "queued",
  });

/** Returns the state with these marks, or `invalid`. */
export const stateOf = (marks: StateDefinition): ChatState =>
  VALID_STATES.find((one) => {
    const { status, archived, queue } = STATE_DEFINITIONS[one];
    return status === marks.status && archived === marks.archived && queue === marks.queue;
  }) ?? "invalid";

/** Returns what the event does in the state, or undefined when it is refused. */
export const nextOutcome = (state: ChatState, event: ChatEvent): Outcome | undefined =>
  NEXT[state][event];

const EVENT_WORDS: Record<ChatEvent, string> = {
  send: "take a message",
  send_interrupt: "take a message",
  send_reject: "take a message",
  edit: "have a message edited",
  regenerate: "answer again",
  delete_queued: "drop a queued message",
  promote: "send a queued message now",
  interrupt: "be interrupted",
  complete_action: "take tool results",
  decide_some: "take a decision",
  decide_last: "take a decision",
  archive: "be archived",
  unarchive: "be unarchived",
  reconcile: "be reconciled",
  delete: "be deleted",
  acquire: "be worked on",
  record_retry: "retry",
  record_attempt: "try again",
  commit_step: "take a step",
  enter_action: "be parked",
  finish_turn: "finish its turn",
  finish_interruption: "finish an interruption",
  fail_turn: "fail its turn",
  expire_action: "expire",
  release: "be released",
  defer: "be deferred",
};

/** Refusals of these events are final: the same request cannot succeed later. */
const NON_RETRYABLE = new Set<ChatEvent>(["complete_action", "decide_some", "decide_last"]);

/**
 * @throws {DomainError} `conflict`, naming the chat's status, when the event is refused.
 */
export const requireOutcome = (facts: StateFacts, event: ChatEvent): Outcome => {
  const state = classify(facts);
  const outcome = nextOutcome(state, event);
  if (outcome) return outcome;
  if (state === "invalid") {
    throw new DomainError(
      "conflict",
      "The chat is in an invalid state; POST …/reconcile repairs it.",
      { shouldRetry: false },
    );
  }
  const archived = facts.archivedAt === null ? "" : " and archived";
  const queue = event === "delete_queued" || event === "promote" ? " with an empty queue" : "";
  throw new DomainError(
    "conflict",
    `The chat cannot ${EVENT_WORDS[event]} while its status is "${facts.status}"${archived}${queue}.`,
    { shouldRetry: !NON_RETRYABLE.has(event) && archived === "" },
  );
};
