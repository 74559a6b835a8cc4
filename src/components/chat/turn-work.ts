import { isOpenState, toCardState } from "@/components/tool-cards/card-state";
import type { MessageView, PartView, ToolCallView } from "@/contract/chat-view";
import { isRunByClient } from "@/contract/run-by-client";

/** The outcomes that the line of a turn names, as the calls themselves may be folded away. */
export const NAMED_OUTCOMES = ["error", "denied", "timed_out", "cancelled"] as const;
export type NamedOutcome = (typeof NAMED_OUTCOMES)[number];

/** The work of one turn, which folds to a line: its calls, its reasoning, and its texts before the answer. */
export type TurnWork = {
  /** The `seq` of the first message. */
  seq: number;
  isFinished: boolean;
  callCount: number;
  outcomes: Readonly<Partial<Record<NamedOutcome, number>>>;
  /** How long the model and its tools have worked, without waits for a person; 0 while they do. */
  workedMs: number;
  /** Where the answer begins: texts before it are work. */
  answer: { seq: number; partIndex: number };
};

/** Built-in tools whose calls are for the person: a file, and a question with its answer. */
const DELIVERING_TOOLS: ReadonlySet<string> = new Set(["deliver_file", "ask_user_question"]);

/** Whether the tool is one whose calls are for the person. */
export const isDelivering = ({ kind, tool_name: name }: ToolCallView): boolean =>
  kind === "builtin" && DELIVERING_TOOLS.has(name);

/**
 * Whether a call stays in view when the work around it is folded: it is not over, or its outcome is for the person, and
 * not only a text that differs from the model's, as that of an edited file.
 */
export const isAlwaysShown = (call: ToolCallView): boolean =>
  isOpenState(toCardState(call)) ||
  isDelivering(call) ||
  call.response_handled === true ||
  (call.kind !== "builtin" && call.for_user !== undefined && call.silent !== true);

/** The same object while the messages of a turn are, so that their memoized rows do not render. */
const workByLastMessage = new WeakMap<MessageView, { turn: Turn; work: TurnWork | undefined }>();

type Turn = {
  messages: readonly MessageView[];
  /** When the work began at the earliest. */
  from: string | undefined;
  isFinished: boolean;
};

/**
 * Finds the work of each turn. A turn without calls has none: its reasoning is a line already.
 *
 * @param messages ascending by seq.
 * @param isTurnRunning whether the last turn may go on.
 * @returns the work by the messages of its turn.
 */
export const findTurnWork = (
  messages: readonly MessageView[],
  isTurnRunning: boolean,
): ReadonlyMap<MessageView, TurnWork> => {
  const found = new Map<MessageView, TurnWork>();
  for (let end = messages.length; end > 0;) {
    const start = findTurnStart(messages, end);
    const turn = messages.slice(start, end);
    const work = describeTurn({
      messages: turn,
      from: messages[start - 1]?.created_at,
      isFinished: end < messages.length || (!isTurnRunning && isOver(turn)),
    });
    if (work) for (const message of turn) found.set(message, work);
    end = Math.min(start, end - 1);
  }
  return found;
};

const findTurnStart = (messages: readonly MessageView[], end: number): number => {
  let start = end;
  while (messages[start - 1]?.role === "assistant") start -= 1;
  return start;
};

/** Whether nothing of the turn is awaited: an answer, the outcome of a call, or a person who lets it go on. */
const isOver = (turn: readonly MessageView[]): boolean =>
  turn.every(
    ({ preview, parts }) =>
      preview !== true &&
      parts.every((part) => part.type !== "tool_call" || !isOpenState(toCardState(part))),
  ) && turn.at(-1)?.finish_reason !== "auto-submit-off";

const describeTurn = (turn: Turn): TurnWork | undefined => {
  const { messages } = turn;
  const last = messages.at(-1);
  if (!last) return undefined;
  const known = workByLastMessage.get(last);
  if (known && isSameTurn(known.turn, turn)) return known.work;
  const work = toWork(turn);
  workByLastMessage.set(last, { turn, work });
  return work;
};

const isSameTurn = (before: Turn, after: Turn): boolean =>
  before.isFinished === after.isFinished &&
  before.from === after.from &&
  before.messages.length === after.messages.length &&
  before.messages.every((message, index) => message === after.messages[index]);

const isCall = (part: PartView): part is ToolCallView => part.type === "tool_call";

const toWork = ({ messages, from, isFinished }: Turn): TurnWork | undefined => {
  const calls = messages.flatMap(({ parts }) => parts.filter(isCall));
  const [first] = messages;
  if (!first || calls.every(isFinished ? isAlwaysShown : isDelivering)) return undefined;
  const states = calls.map(toCardState);
  return {
    seq: first.seq,
    isFinished,
    callCount: calls.length,
    outcomes: Object.fromEntries(
      NAMED_OUTCOMES.map((outcome) => [
        outcome,
        states.filter((state) => state === outcome).length,
      ]),
    ),
    workedMs: isFinished ? measureWork(messages, from) : 0,
    answer: findAnswer(messages),
  };
};

type Place = { seq: number; partIndex: number; part: PartView };

/** @returns the place after the last call that is work; that of the last text if none follows, so that one is shown. */
const findAnswer = (messages: readonly MessageView[]): TurnWork["answer"] => {
  const places = messages.flatMap(({ seq, parts }): Place[] =>
    parts.map((part, partIndex) => ({ seq, partIndex, part })),
  );
  const lastCall = places.findLastIndex(({ part }) => isCall(part) && !isAlwaysShown(part));
  const lastText = places.findLastIndex(({ part }) => part.type === "text" && part.text !== "");
  const { seq, partIndex } = places[lastText] ?? { seq: Infinity, partIndex: 0 };
  if (lastText < lastCall) return { seq, partIndex };
  const call = places[lastCall];
  return call ? { seq: call.seq, partIndex: call.partIndex + 1 } : { seq: 0, partIndex: 0 };
};

/** Whether a part is before the answer of its turn. */
export const isBeforeAnswer = (
  { seq }: Pick<MessageView, "seq">,
  partIndex: number,
  { answer }: Pick<TurnWork, "answer">,
): boolean => seq < answer.seq || (seq === answer.seq && partIndex < answer.partIndex);

/** Whether folded work hides more of a message than its reasoning. */
export const hasFoldedContent = (message: MessageView, work: TurnWork): boolean =>
  message.parts.some((part, index) =>
    isCall(part)
      ? !isAlwaysShown(part)
      : part.type === "text" && isBeforeAnswer(message, index, work),
  );

/**
 * Adds the times of the model and of the tools. Until a call is approved its time has not begun, and the time of a call that
 * a person or a program answers is not work.
 */
const measureWork = (messages: readonly MessageView[], from: string | undefined): number => {
  let workedMs = 0;
  let end = from === undefined ? undefined : Date.parse(from);
  for (const step of messages.flatMap((message) => message.steps ?? [message])) {
    const answeredAt = Date.parse(step.created_at);
    workedMs += Math.max(0, answeredAt - (end ?? findStart(step)));
    const calls = step.parts.filter(isCall).flatMap(toInterval);
    workedMs += measureUnion(
      calls.filter(({ isWork }) => isWork),
      answeredAt,
    );
    // A turn that has rested begins again when a person wants it.
    end =
      step.finish_reason === "auto-submit-off"
        ? undefined
        : Math.max(answeredAt, ...calls.map(({ to }) => to));
  }
  return workedMs;
};

/** @returns when the first part of a step began whose time is known, in milliseconds. */
const findStart = ({ parts, created_at: createdAt }: MessageView): number =>
  Math.min(
    Date.parse(createdAt),
    ...parts.flatMap((part) => ("started_at" in part ? [Date.parse(part.started_at)] : [])),
  );

type Interval = { from: number; to: number; isWork: boolean };

const toInterval = ({
  started_at: from,
  completed_at: to,
  kind,
  state,
}: ToolCallView): Interval[] =>
  to === undefined
    ? []
    : [
        {
          from: Date.parse(from),
          to: Date.parse(to),
          isWork: !isRunByClient(kind) && state !== "denied",
        },
      ];

/** @returns how long at least one of the intervals was, after a time, in milliseconds. */
const measureUnion = (intervals: readonly Interval[], after: number): number => {
  let end = after;
  let total = 0;
  for (const { from, to } of intervals.toSorted((a, b) => a.from - b.from)) {
    total += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return total;
};

/** Whether two turns are shown alike, also if one of them has more of a text. */
export const isSameWork = (before: TurnWork | undefined, after: TurnWork | undefined): boolean => {
  if (!before || !after) return before === after;
  return (
    COMPARED.every((name) => before[name] === after[name]) &&
    before.answer.seq === after.answer.seq &&
    before.answer.partIndex === after.answer.partIndex &&
    NAMED_OUTCOMES.every((outcome) => before.outcomes[outcome] === after.outcomes[outcome])
  );
};

const COMPARED = ["seq", "isFinished", "callCount", "workedMs"] as const;
