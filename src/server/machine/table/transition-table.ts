import type { ChatStatus } from "@/contract/chat";
import type { ChatState } from "./chat-state";

/**
 * What can happen to a chat that exists. The first block comes from clients, the second from the tasks and agents of the
 * chat, the third from workers.
 */
export const CHAT_EVENTS = [
  "send",
  "send_interrupt",
  "send_reject",
  "edit",
  "regenerate",
  "continue",
  "compact",
  "clear_context",
  "undo_boundary",
  "choose_branch",
  "delete_queued",
  "promote",
  "steer_queued",
  "interrupt",
  "complete_action",
  "decide_some",
  "decide_last",
  "archive",
  "unarchive",
  "reconcile",
  "delete",

  "note_task",
  "wake",
  "take_reports",
  "take_steering",
  "start_agent",
  "end_wait",
  "stop_agents",

  "acquire",
  "record_retry",
  "record_attempt",
  "commit_step",
  "enter_action",
  "enter_wait",
  "settle_wait",
  "finish_turn",
  "finish_interruption",
  "fail_turn",
  "expire_action",
  "expire_some",
  "release",
  "defer",
] as const;
export type ChatEvent = (typeof CHAT_EVENTS)[number];

/**
 * What a transition does to history and queue, in order:
 * `enter` the new message enters the history, `join` it joins the queue's tail, `joined_to_head` it
 * moves to the head, `head_enters` the
 * queue's head enters the history, `chosen_enters` a chosen queued message does, `chosen_to_head`
 * it moves to the head instead, `chosen_steers` it is to enter the turn that runs, `remove_chosen` it is dropped, `clear_queue` all are, `truncate`
 * the target message and all after it are replaced, `drop_answer` all after the last user message
 * are, `choose` a branch that was replaced comes back for what follows its split, `drop_partial` an answer that the model has not ended is deleted, `close_calls` open tool calls end without a result, `close_due_calls` those whose deadline has passed,
 * `resume_turn` the turn goes on with all its steps before it, `reports_enter` the reports of tasks enter the history, `head_steers` the queue's head
 * enters the history within the turn, `set_boundary` the model reads the history from here on, `drop_boundary` from the
 * boundary before.
 */
export type Effect =
  | "enter"
  | "join"
  | "joined_to_head"
  | "head_enters"
  | "chosen_enters"
  | "chosen_to_head"
  | "chosen_steers"
  | "remove_chosen"
  | "clear_queue"
  | "truncate"
  | "drop_answer"
  | "choose"
  | "drop_partial"
  | "close_calls"
  | "close_due_calls"
  | "resume_turn"
  | "reports_enter"
  | "head_steers"
  | "set_boundary"
  | "drop_boundary";

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
const queuedDeletion = (status: ChatStatus) => ({
  delete_queued: to(status, "remove_chosen"),
});
/** What a person can do with a message that waits while a turn is under way. */
const queuedChanges = (status: ChatStatus) => ({
  ...queuedDeletion(status),
  steer_queued: to(status, "chosen_steers"),
});

const busyCells = (status: "pending" | "running" | "interrupting") => ({
  send: to(status, "join"),
  send_interrupt: to("interrupting", "join"),
  edit,
  interrupt: to("interrupting"),
  note_task: to(status),
});
const retry = { continue: to("pending", "drop_partial", "resume_turn") };
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
const unclaimed = {
  start_agent: to("pending"),
  acquire: to("running"),
  take_reports: to("pending", "reports_enter"),
};
const working = {
  take_reports: to("running", "reports_enter"),
  acquire: to("running"),
  record_retry: to("running"),
  record_attempt: to("running"),
  commit_step: to("running"),
  enter_action: to("requires_action"),
  fail_turn: to("error", "close_calls"),
  release: to("pending"),
  defer: to("pending"),
  settle_wait: to("running"),
};
const parked = {
  send: to("requires_action", "join"),
  edit,
  complete_action: to("pending"),
  decide_some: to("requires_action"),
  decide_last: to("pending"),
  expire_action: to("pending", "close_calls"),
  expire_some: to("requires_action", "close_due_calls"),
  note_task: to("requires_action"),
};
/** A worker sums up the history; then a chat that rested rests again, and a turn that has failed goes on. */
const compact = { compact: to("pending") };
const clear = to("waiting", "set_boundary");
const choose = to("waiting", "choose");
const undo = (status: ChatStatus) => ({ undo_boundary: to(status, "drop_boundary") });
/** A task has begun or ended, which the chat shows. */
const taskNote = (status: ChatStatus) => ({ note_task: to(status) });

/** The whole machine. What is not listed is refused and changes nothing. */
const NEXT: Record<ChatState, Partial<Record<ChatEvent, Outcome>>> = {
  waiting: {
    ...idle,
    ...taskNote("waiting"),
    stop_agents: to("waiting"),
    continue: to("pending", "resume_turn"),
    ...compact,
    ...undo("waiting"),
    clear_context: clear,
    choose_branch: choose,
    archive: to("waiting"),
    wake: to("pending", "reports_enter"),
  },
  waiting_paused: {
    ...idle,
    note_task: paused(to("waiting")),
    stop_agents: paused(to("waiting")),
    continue: to("pending", "resume_turn"),
    undo_boundary: paused(to("waiting", "drop_boundary")),
    clear_context: paused(clear),
    choose_branch: paused(choose),
    delete_queued: paused(to("waiting", "remove_chosen")),
    promote: to("pending", "chosen_enters"),
    archive: paused(to("waiting")),
  },
  pending: { ...busyCells("pending"), ...unclaimed },
  pending_queued: {
    ...busyCells("pending"),
    ...stopped,
    ...queuedChanges("pending"),
    ...unclaimed,
    promote: to("interrupting", "chosen_to_head"),
  },
  // A queued message ends a wait at once.
  running: {
    ...busyCells("running"),
    ...working,
    enter_wait: to("awaiting_agents"),
    finish_turn: to("waiting"),
  },
  running_queued: {
    ...busyCells("running"),
    ...stopped,
    ...working,
    ...queuedChanges("running"),
    take_steering: to("running", "head_steers"),
    promote: to("interrupting", "chosen_to_head"),
    finish_turn: to("pending", "head_enters"),
  },
  interrupting: {
    ...busyCells("interrupting"),
    acquire: to("interrupting"),
    finish_interruption: to("waiting", "close_calls"),
  },
  interrupting_queued: {
    ...busyCells("interrupting"),
    ...stopped,
    ...queuedDeletion("interrupting"),
    promote: to("interrupting", "chosen_to_head"),
    acquire: to("interrupting"),
    finish_interruption: to("pending", "close_calls", "head_enters"),
  },
  interrupting_paused: {
    ...stopped,
    edit,
    send: sendFirst,
    send_interrupt: sendFirst,
    delete_queued: paused(to("interrupting", "remove_chosen")),
    promote: to("interrupting", "chosen_to_head"),
    acquire: paused(to("interrupting")),
    note_task: paused(to("interrupting")),
    finish_interruption: paused(to("waiting", "close_calls")),
  },
  requires_action: {
    ...parked,
    send_interrupt: to("pending", "close_calls", "enter"),
    interrupt: to("waiting", "close_calls"),
  },
  requires_action_queued: {
    ...parked,
    ...queuedChanges("requires_action"),
    send_interrupt: to("pending", "close_calls", "join", "head_enters"),
    interrupt: paused(to("waiting", "close_calls")),
    promote: to("pending", "close_calls", "chosen_enters"),
  },
  awaiting_agents: {
    send: to("pending", "close_calls", "enter"),
    send_interrupt: to("pending", "close_calls", "enter"),
    edit,
    interrupt: to("waiting", "close_calls"),
    note_task: to("awaiting_agents"),
    end_wait: to("pending"),
  },
  error: {
    ...idle,
    ...retry,
    ...taskNote("error"),
    ...compact,
    ...undo("error"),
    clear_context: clear,
    choose_branch: choose,
    stop_agents: to("error"),
    archive: to("error"),
  },
  error_queued: {
    ...idle,
    ...retry,
    ...taskNote("error"),
    ...queuedDeletion("error"),
    ...compact,
    ...undo("error"),
    clear_context: paused(clear),
    choose_branch: paused(choose),
    stop_agents: to("error"),
    send: to("pending", "join", "head_enters"),
    send_interrupt: to("pending", "join", "head_enters"),
    send_reject: to("pending", "join", "head_enters"),
    promote: to("pending", "chosen_enters"),
    archive: to("error"),
  },
  archived_waiting: { ...taskNote("waiting"), unarchive: to("waiting"), delete: gone },
  archived_waiting_paused: {
    note_task: paused(to("waiting")),
    unarchive: paused(to("waiting")),
    delete: gone,
  },
  archived_error: { ...taskNote("error"), unarchive: to("error"), delete: gone },
  archived_error_queued: { ...taskNote("error"), unarchive: to("error"), delete: gone },
  invalid: { reconcile: to("error", "close_calls") },
};

/** Returns what the event does in the state, or undefined when it is refused. */
export const nextOutcome = (state: ChatState, event: ChatEvent): Outcome | undefined =>
  NEXT[state][event];
