import type { ChatStatus } from "@/contract/chat";
import { MAX_REPORT_TURNS } from "@/contract/limits";
import {
  CHAT_STATES,
  type ChatState,
  STATE_DEFINITIONS,
  type QueueShape,
  findState,
} from "@/server/machine/table/chat-state";
import { type ChatEvent, nextOutcome } from "@/server/machine/table/transition-table";
import { earliestDeadline } from "./earliest-deadline";

/** One cell of the state table, as a statement carries it out: rows of `state` become `to`. */
type Cell = { state: ChatState; to: ChatStatus; pausesQueue: boolean };

/**
 * The changes of a row, as SQL expressions over its columns and the values of the statement. Omitted ones do not
 * change.
 */
export type RowChange = {
  /** A boolean: messages or parts are written. */
  historyChanged?: string;
  /** A boolean: the queue is written. */
  queueChanged?: string;
  /** How many messages join the queue, less those that leave it. */
  queueGrowth?: string;
  /** How many messages enter the history. */
  newMessages?: string;
  /** How many steps the turn has got. */
  newSteps?: string;
  /** The id of the turn that begins, or null. */
  newTurnId?: string;
  /** How many reports wait for the history, less those that enter it. */
  reportGrowth?: string;
  /** A `ChatError` for a row that becomes `error`, or null. */
  lastError?: string;
  /** A `StoredCompaction` that is asked for, or null. */
  compaction?: string;
  /** Until when a row waits that did not wait before, or null. */
  deadlineAt?: string;
  /** The JSON of outcomes that the statement itself writes; of those written before there is none. */
  outcomes?: string;
  /** Assignments that only this statement makes, by column; they replace those of the table. */
  assign?: Partial<Record<string, string>>;
};

const NULL = "NULL";

/** In which statuses a worker holds the chat. */
const HAS_LEASE: Record<ChatStatus, boolean> = {
  waiting: false,
  pending: false,
  running: true,
  interrupting: true,
  requires_action: false,
  awaiting_agents: false,
  error: false,
};

/** In which statuses a chat waits until a deadline. */
const HAS_DEADLINE: ReadonlySet<ChatStatus> = new Set(["requires_action", "awaiting_agents"]);

/** Events that change the number of attempts without a change of the history. */
const ATTEMPTS: Partial<Record<ChatEvent, string>> = {
  acquire: "attempt + 1",
  record_attempt: "attempt + 1",
  release: "greatest(attempt - 1, 0)",
  // A person asks for it, as by a message.
  continue: "0",
  compact: "0",
};

/**
 * Events that keep the update time, which orders lists and claims. So a chat that is archived and restored has its
 * old place.
 */
const WITHOUT_UPDATE_TIME: ReadonlySet<ChatEvent> = new Set([
  "record_retry",
  "record_attempt",
  "release",
  "defer",
  "archive",
  "unarchive",
  "note_task",
  "stop_agents",
]);

/** Events with which a person stops what a chat does, its exec sessions included. */
const ENDS_SESSIONS: ReadonlySet<ChatEvent> = new Set(["interrupt", "archive"]);

const ENDS_COMPACTION: ReadonlySet<ChatEvent> = new Set([
  "finish_interruption",
  "fail_turn",
  "clear_context",
  "undo_boundary",
  "choose_branch",
]);

const ARCHIVED_AT: Partial<Record<ChatEvent, string>> = {
  archive: "coalesce(archived_at, now())",
  unarchive: NULL,
  reconcile: NULL,
};

/**
 * The cells of the table that one UPDATE carries out: those of an event, or of an event and a second one
 * right behind it. A second event with effects is left out, as it needs the row lock: the row stays where
 * the first event brings it, and a transition of its own follows.
 *
 * @throws {Error} while the module is loaded, for a composition that the table does not allow.
 */
export const listCells = (event: ChatEvent, then?: ChatEvent): Cell[] =>
  CHAT_STATES.flatMap((state) => {
    const outcome = nextOutcome(state, event);
    if (!outcome) return [];
    if (outcome.to === "gone") throw new Error(`${event} does not update a chat`);
    const { pausesQueue } = outcome;
    if (!then) return { state, to: outcome.to, pausesQueue };
    if (outcome.effects.length > 0) throw new Error(`${event} has effects and takes the row lock`);
    return { state, to: composed(state, outcome.to, then), pausesQueue };
  });

const composed = (state: ChatState, between: ChatStatus, then: ChatEvent): ChatStatus => {
  if (state === "invalid") throw new Error("an invalid state takes no composed events");
  const reached = findState({ ...STATE_DEFINITIONS[state], status: between });
  const outcome = nextOutcome(reached, then);
  if (!outcome || outcome.to === "gone") throw new Error(`${then} is refused in ${reached}`);
  return outcome.effects.length > 0 ? between : outcome.to;
};

/** A condition on a chat's row: it is in one of the states. */
export const stateCondition = (states: readonly ChatState[]): string => {
  const valid = CHAT_STATES.filter((state) => state !== "invalid");
  const groups = states.includes("invalid") ? [`NOT (${statesCondition(valid)})`] : [];
  const named = valid.filter((state) => states.includes(state));
  if (named.length > 0) groups.push(statesCondition(named));
  return `(${groups.join(" OR ") || "false"})`;
};

type NamedState = Exclude<ChatState, "invalid">;

const statesCondition = (states: readonly NamedState[]): string =>
  [false, true].flatMap((archived) => archivedCondition(states, archived)).join(" OR ");

/** Conditions on the queue, by the shapes that it may have. A paused queue has messages. */
const QUEUE_CONDITION: Record<string, string> = {
  empty: " AND queued_count = 0",
  queued: " AND queued_count > 0 AND NOT queue_paused",
  paused: " AND queue_paused",
  "empty queued": " AND NOT queue_paused",
  "empty paused": " AND (queued_count = 0 OR queue_paused)",
  "queued paused": " AND queued_count > 0",
  "empty queued paused": "",
};

const QUEUE_SHAPES: readonly QueueShape[] = ["empty", "queued", "paused"];

/** Statuses with the same shapes of the queue are named together, so that a partial index by status is recognized. */
const archivedCondition = (states: readonly NamedState[], archived: boolean): string[] => {
  const definitions = states
    .map((state) => STATE_DEFINITIONS[state])
    .filter((definition) => definition.archived === archived);
  const listShapes = (status: ChatStatus): string =>
    QUEUE_SHAPES.filter((queue) =>
      definitions.some((one) => one.status === status && one.queue === queue),
    ).join(" ");
  const statusesByShapes = Map.groupBy(
    new Set(definitions.map(({ status }) => status)),
    listShapes,
  );
  return [...statusesByShapes].map(([shapes, statuses]) => {
    const names = statuses.map((status) => `'${status}'`).join(", ");
    return `(archived_at IS ${archived ? "NOT NULL" : "NULL"} AND status IN (${names})${QUEUE_CONDITION[shapes]})`;
  });
};

/** The assignments of an UPDATE that carries out the cells: every column of the machine, by one formula. */
export const assignments = (event: ChatEvent, cells: readonly Cell[], change: RowChange): string =>
  Object.entries({ ...machineColumns(event, cells, change), ...change.assign })
    .map(([column, value]) => `${column} = ${value}`)
    .join(", ");

const machineColumns = (
  event: ChatEvent,
  cells: readonly Cell[],
  change: RowChange,
): Record<string, string> => {
  const { historyChanged = "false", queueChanged = "false" } = change;
  const attempt = ATTEMPTS[event] ?? "attempt";
  const retry = attempt === "attempt" ? buildCase(historyChanged, NULL, "retry") : NULL;
  const deadline = deadlineAfter(event, change);
  const lastError = change.lastError ? `coalesce(${change.lastError}, last_error)` : "last_error";
  return {
    status: statusAfter(cells),
    version: "version + 1",
    history_version: buildCase(historyChanged, "version + 1", "history_version"),
    queue_version: buildCase(queueChanged, "version + 1", "queue_version"),
    attempt: buildCase(historyChanged, "0", attempt),
    retry: limitToCells(cells, (cell) => cell.to === "running" || staysPending(cell), retry),
    not_before: limitToCells(cells, staysPending, buildCase(historyChanged, NULL, "not_before")),
    lease_owner: limitToCells(cells, ({ to }) => HAS_LEASE[to], "lease_owner"),
    lease_token: limitToCells(cells, ({ to }) => HAS_LEASE[to], "lease_token"),
    lease_expires_at: limitToCells(cells, ({ to }) => HAS_LEASE[to], "lease_expires_at"),
    agent_queued: `agent_queued AND ${event === "start_agent" ? "false" : stateCondition(listStayingStates(cells))}`,
    action_deadline_at: limitToCells(cells, ({ to }) => HAS_DEADLINE.has(to), deadline),
    last_error: limitToCells(cells, ({ to }) => to === "error", lastError),
    compaction: compactionAfter(event, change),
    queue_paused: pausedAfter(cells, change),
    ...counters(change),
    wakes_left: wakesAfter(event, change),
    ...taskVersionAfter(event),
    ...(ENDS_SESSIONS.has(event) && { session_owner: NULL }),
    ...(ARCHIVED_AT[event] && { archived_at: ARCHIVED_AT[event] }),
    ...(!WITHOUT_UPDATE_TIME.has(event) && { updated_at: "now()" }),
  };
};

/** Events that end some of the calls that a parked chat waits for: it waits for the others. */
const ENDS_SOME_CALLS: ReadonlySet<ChatEvent> = new Set(["decide_some", "expire_some"]);

const deadlineAfter = (event: ChatEvent, { deadlineAt, outcomes }: RowChange): string => {
  if (ENDS_SOME_CALLS.has(event)) {
    return `coalesce(${earliestDeadline("chat.id", outcomes)}, action_deadline_at)`;
  }
  return deadlineAt ? `coalesce(${deadlineAt}, action_deadline_at)` : "action_deadline_at";
};

/** Whether the queue is paused: in the cells that pause it, unless it has no messages left. */
const pausedAfter = (cells: readonly Cell[], { queueGrowth = "0" }: RowChange): string => {
  const pausing = cells.filter(({ pausesQueue }) => pausesQueue).map(({ state }) => state);
  if (pausing.length === 0) return "false";
  return `${stateCondition(pausing)} AND queued_count + ${queueGrowth} > 0`;
};

/** A new turn tries again what has failed. A stop, or the failure of the turn, ends what was asked for. */
const compactionAfter = (event: ChatEvent, { newTurnId, compaction }: RowChange): string => {
  if (event === "compact" && compaction) return compaction;
  if (ENDS_COMPACTION.has(event)) return NULL;
  return newTurnId ? `CASE WHEN ${newTurnId} IS NULL THEN compaction END` : "compaction";
};

/** Events with which a task of the chat changes. */
const TASK_EVENTS: ReadonlySet<ChatEvent> = new Set(["note_task", "wake", "take_reports"]);

/** Events that end the tasks of calls that they replace, or show them again. */
const REPLACING_EVENTS: ReadonlySet<ChatEvent> = new Set(["edit", "regenerate", "choose_branch"]);

const taskVersionAfter = (event: ChatEvent): Record<string, string> => {
  if (TASK_EVENTS.has(event)) return { task_version: "version + 1" };
  if (!REPLACING_EVENTS.has(event)) return {};
  return { task_version: "CASE WHEN task_version > 0 THEN version + 1 ELSE 0 END" };
};

/** Each turn that reports begin leaves them one less. After a stop there are none. */
const wakesAfter = (event: ChatEvent, { newTurnId }: RowChange): string => {
  if (event === "wake") return "wakes_left - 1";
  if (event === "interrupt" || event === "stop_agents") return "0";
  if (event === "choose_branch") return "wakes_left";
  return newTurnId
    ? `CASE WHEN ${newTurnId} IS NULL THEN wakes_left ELSE ${MAX_REPORT_TURNS} END`
    : "wakes_left";
};

const counters = (change: RowChange): Record<string, string> => {
  const { queueGrowth, newMessages, newSteps, newTurnId, reportGrowth } = change;
  return {
    ...(queueGrowth && { queued_count: `queued_count + ${queueGrowth}` }),
    ...(newMessages && { last_seq: `last_seq + ${newMessages}` }),
    ...(reportGrowth && {
      report_count: `report_count + ${reportGrowth}`,
      task_version: buildCase(`${reportGrowth} <> 0`, "version + 1", "task_version"),
    }),
    ...(newSteps && { turn_steps: `turn_steps + ${newSteps}` }),
    ...(newTurnId && {
      turn_id: `coalesce(${newTurnId}, turn_id)`,
      turn_steps: `CASE WHEN ${newTurnId} IS NULL THEN turn_steps ELSE 0 END`,
    }),
  };
};

const buildCase = (condition: string, yes: string, no: string): string => {
  if (condition === "true") return yes;
  return condition === "false" ? no : `CASE WHEN ${condition} THEN ${yes} ELSE ${no} END`;
};

/** A chat that was deferred stays so while only its queue changes. */
const staysPending = ({ state, to }: Cell): boolean =>
  to === "pending" && state !== "invalid" && STATE_DEFINITIONS[state].status === "pending";

const listStayingStates = (cells: readonly Cell[]): ChatState[] =>
  cells.filter(staysPending).map(({ state }) => state);

/** The value in rows whose cell passes, NULL in the others. */
const limitToCells = (
  cells: readonly Cell[],
  passes: (cell: Cell) => boolean,
  value: string,
): string => {
  const passing = cells.filter(passes).map(({ state }) => state);
  if (passing.length === cells.length || value === NULL) return value;
  return passing.length === 0 ? NULL : `CASE WHEN ${stateCondition(passing)} THEN ${value} END`;
};

const statusAfter = (cells: readonly Cell[]): string => {
  const statuses = [...new Set(cells.map(({ to }) => to))];
  const [only, ...others] = statuses;
  if (others.length === 0) return `'${only}'::chat_status`;
  const branches = statuses.map((status) => {
    const states = cells.filter(({ to }) => to === status).map(({ state }) => state);
    return `WHEN ${stateCondition(states)} THEN '${status}'::chat_status`;
  });
  return `CASE ${branches.join(" ")} END`;
};
