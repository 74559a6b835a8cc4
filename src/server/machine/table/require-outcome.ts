import { DomainError } from "@/contract/domain-error";
import { classify, type StateFacts } from "./chat-state";
import { type ChatEvent, nextOutcome, type Outcome } from "./transition-table";

const EVENT_WORDS: Record<ChatEvent, string> = {
  send: "take a message",
  send_interrupt: "take a message",
  send_reject: "take a message",
  edit: "have a message edited",
  regenerate: "answer again",
  continue: "be continued",
  compact: "be summed up",
  clear_context: "have its context cleared",
  undo_boundary: "have a boundary removed",
  choose_branch: "go back to an alternative",
  delete_queued: "drop a queued message",
  promote: "send a queued message now",
  steer_queued: "take a queued message into its turn",
  interrupt: "be interrupted",
  complete_action: "take tool results",
  decide_some: "take a decision",
  decide_last: "take a decision",
  archive: "be archived",
  unarchive: "be unarchived",
  reconcile: "be reconciled",
  delete: "be deleted",
  note_task: "begin or end a task",
  wake: "be woken by a report",
  take_reports: "take reports",
  take_steering: "take a message into its turn",
  start_agent: "be started",
  end_wait: "end a wait",
  stop_agents: "have its agents stopped",
  acquire: "be worked on",
  record_retry: "retry",
  record_attempt: "try again",
  commit_step: "take a step",
  enter_action: "be parked",
  enter_wait: "wait for agents",
  settle_wait: "take what it waited for",
  finish_turn: "finish its turn",
  finish_interruption: "finish an interruption",
  fail_turn: "fail its turn",
  expire_action: "expire",
  expire_some: "have calls expire",
  release: "be released",
  defer: "be deferred",
};

/** Refusals of these events are final: the same request cannot succeed later. */
const NON_RETRYABLE = new Set<ChatEvent>(["complete_action", "decide_some", "decide_last"]);

const OF_QUEUE = new Set<ChatEvent>(["delete_queued", "promote", "steer_queued"]);

const ANSWERED = "It has been answered elsewhere, or is not open any more. ";

/** Events of a whole family: the chat of an agent takes them with its root chat alone. */
const OF_FAMILY = new Set<ChatEvent>(["archive", "unarchive", "delete"]);

/**
 * @throws {DomainError} `conflict`, naming the chat's status, when the event is refused.
 */
export const requireOutcome = (
  facts: StateFacts & {
    parentChatId?: string | null;
    /** Of an event that answers calls: false if the chat has never had them. */
    hadCalls?: boolean;
  },
  event: ChatEvent,
): Outcome => {
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
  const isOfAgent = Boolean(facts.parentChatId) && OF_FAMILY.has(event);
  const whose = isOfAgent ? "the status of one of its agents" : "its status";
  const queue = OF_QUEUE.has(event) && facts.queuedCount === 0 ? " with an empty queue" : "";
  const isFinal = NON_RETRYABLE.has(event);
  const canBeLate = isFinal && facts.archivedAt === null && facts.hadCalls !== false;
  throw new DomainError(
    "conflict",
    `${canBeLate ? ANSWERED : ""}The chat cannot ${EVENT_WORDS[event]} while ${whose} is "${facts.status}"${archived}${queue}.`,
    { shouldRetry: !isFinal && archived === "" },
  );
};
