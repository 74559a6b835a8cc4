import type { HistoryMessage, SummaryPartRow } from "@/server/db/chats/rows";

type Boundary = Pick<HistoryMessage, "role" | "parts">;

/** @returns what a boundary says of itself; undefined for any other message. */
export const findSummary = ({ role, parts }: Boundary): SummaryPartRow["data"] | undefined =>
  role === "event" ? parts.find((part) => part.type === "summary")?.data : undefined;

/** @returns the text that the model reads in place of what is before a boundary; "" after the context was cleared. */
export const readSummaryText = ({ parts }: Boundary): string =>
  parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n\n");

/** @returns the index of the newest boundary, or -1. */
export const findBoundary = (history: readonly HistoryMessage[]): number =>
  history.findLastIndex((message) => findSummary(message) !== undefined);

/**
 * Selects what the model reads of a history: the newest boundary, the messages before it that it keeps, and all after it.
 * The prompt, its files and its size are made from this alone. All else, such as the quota of the advisor, counts on in
 * the whole history.
 */
export const toModelHistory = (history: readonly HistoryMessage[]): readonly HistoryMessage[] => {
  const index = findBoundary(history);
  const boundary = history[index];
  if (!boundary) return history;
  const kept = new Set(findSummary(boundary)?.kept);
  return [
    boundary,
    ...history.slice(0, index).filter(({ seq }) => kept.has(seq)),
    ...history.slice(index + 1),
  ];
};

type SplitOptions = {
  /** The turn that the chat is in. */
  turnId: string;
  /** Whether the turn has ended: the model is not called for it again, unless results of it are not read yet. */
  isOver: boolean;
  /** Limit for the last steps that are kept, in bytes; the last one is kept in any case if its results are not read. */
  maxTailBytes: number;
  measure: (message: HistoryMessage) => number;
};

export type HistorySplit = {
  /** What leaves the prompt, without the boundary before. */
  summed: readonly HistoryMessage[];
  /** Those of them that the model also keeps, as they are what it works on. */
  carried: readonly HistoryMessage[];
  /** The messages after them, which the model keeps. */
  tail: readonly HistoryMessage[];
};

/**
 * Splits what the model reads of a history into what leaves the prompt and what it keeps: messages that nobody has
 * answered, results that it has not read, and in the middle of a turn what began it and its last steps. A call and its
 * result are one message, so that they stay together.
 */
export const splitHistory = (
  history: readonly HistoryMessage[],
  { turnId, isOver, ...limits }: SplitOptions,
): HistorySplit => {
  // The prompt has those of the system in any case.
  const messages = toModelHistory(history).filter(
    (message) => message.role !== "system" && findSummary(message) === undefined,
  );
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const hasUnread = isUnread(messages[last], turnId);
  const unanswered = hasUnread ? last : last + 1;
  const start = isOver ? unanswered : addSteps(messages, unanswered, { turnId, ...limits });
  const summed = messages.slice(0, start);
  const isOpen = !isOver || hasUnread;
  return {
    summed,
    carried: isOpen ? findBeginning(summed, turnId) : [],
    tail: messages.slice(start),
  };
};

/** Whether a step of the turn has results that the model may not have read. */
const isUnread = (step: HistoryMessage | undefined, turnId: string): boolean =>
  step?.turnId === turnId &&
  step.parts.some((part) => part.type === "tool_call" && part.kind !== "provider");

/** Returns the index of the first step of the turn that is kept with what follows it. */
const addSteps = (
  messages: readonly HistoryMessage[],
  unanswered: number,
  { turnId, maxTailBytes, measure }: Omit<SplitOptions, "isOver">,
): number => {
  // A prompt must not end with an answer, such as one that was cut.
  if (unanswered === messages.length) return unanswered;
  let start = unanswered;
  let bytes = messages.slice(start).reduce((sum, message) => sum + measure(message), 0);
  for (;;) {
    const message = messages[start - 1];
    if (message?.turnId !== turnId) return start;
    bytes += measure(message);
    if (bytes > maxTailBytes) return start;
    start -= 1;
  }
};

/** Finds what began the turn, and what its person has said since. */
const findBeginning = (summed: readonly HistoryMessage[], turnId: string): HistoryMessage[] => {
  const ofTurn = summed.filter((message) => message.turnId === turnId);
  const firstStep = ofTurn.findIndex(({ role }) => role === "assistant");
  const isBeginning = (index: number): boolean => firstStep === -1 || index < firstStep;
  return ofTurn.filter(
    ({ role }, index) => role === "user" || (role === "event" && isBeginning(index)),
  );
};
