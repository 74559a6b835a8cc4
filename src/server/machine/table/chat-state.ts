import type { ChatStatus } from "@/contract/chat";

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
  "awaiting_agents",
  "error",
  "error_queued",
  "archived_waiting",
  "archived_waiting_paused",
  "archived_error",
  "archived_error_queued",
  "invalid",
] as const;
export type ChatState = (typeof CHAT_STATES)[number];

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
  awaiting_agents: state("awaiting_agents"),
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
  findState({
    status,
    archived: archivedAt !== null,
    queue: queuedCount === 0 ? "empty" : queuePaused ? "paused" : "queued",
  });

/** Returns the state with these marks, or `invalid`. */
export const findState = (marks: StateDefinition): ChatState =>
  VALID_STATES.find((one) => {
    const { status, archived, queue } = STATE_DEFINITIONS[one];
    return status === marks.status && archived === marks.archived && queue === marks.queue;
  }) ?? "invalid";
