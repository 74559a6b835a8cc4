"use client";
import { clsx } from "clsx";
import { memo } from "react";
import type { Agent } from "@/contract/agent";
import type { MessageView } from "@/contract/chat-view";
import type { EditedMessage } from "@/contract/draft-attachment";
import { listOmittedFiles } from "@/contract/shown-files";
import type { CardContents, QuestionDrafts } from "@/components/tool-cards/tool-card";
import { type AskingCalls, findAskingCalls, hasSameCalls } from "./asking-calls";
import { AssistantMessage } from "./assistant-message";
import { listFiles, toMessageText } from "./message-parts";
import type { RegenerateMenuProps } from "./open-regenerate-menu";
import { findTurnWork, isSameWork, type TurnWork } from "./turn-work";
import { UserMessage } from "./user-message";
import { FailureBoundary } from "@/components/ui/failure-boundary";
import { lazyParts, usePartReady } from "@/components/ui/lazy-parts";

/** Most chats have no reports and no boundaries. */
const ReportMessage = lazyParts(() => import("./report-message"));
const SummaryMessage = lazyParts(() => import("./summary-message"));
/** Plain answers need no work. */
const WorkLine = lazyParts(() => import("./work-line"));
const MessageEditor = lazyParts(() => import("./message-editor"));
/** Most messages have one version. */
const AlternativesSwitch = lazyParts(() => import("./alternatives-switch"));

/** The actions on messages; an absent one is not offered. */
export type MessageActions = {
  /** The user message being edited. */
  editingId: string | undefined;
  isSavingEdit: boolean;
  onEditStart?: ((messageId: string) => void) | undefined;
  onEditCancel: () => void;
  onEditSave: (messageId: string, edited: EditedMessage) => void;
  onRegenerate?: (() => void) | undefined;
  /** What an answer can be regenerated with. */
  regenerateMenu?: RegenerateMenuProps | undefined;
  /** Brings a version back to which a message belongs. */
  onChoose?: ((messageId: string) => void) | undefined;
  /** Makes a chat that begins with the messages up to this one. */
  onFork?: ((seq: number) => void) | undefined;
  /** Sends the answer to a question of the agent. */
  onAnswer?: ((text: string) => void) | undefined;
  questionDrafts?: QuestionDrafts | undefined;
  /** What the generic card shows of calls, by the names of the built-in tools. */
  cards?: CardContents | undefined;
  /** Removes the newest boundary. */
  onBoundaryUndo?: ((messageId: string) => void) | undefined;
  onStopTask?: ((taskId: string) => void) | undefined;
  /** Opens another page without a page load. */
  onNavigate?: ((href: string) => void) | undefined;
  /** @param seq of the turn's first message. */
  onWorkToggle: (seq: number, isOpen: boolean) => void;
};

/** A message and its position in the list. */
export type MessageRowData = {
  message: MessageView;
  isLast: boolean;
  isTurnEnd: boolean;
  /** Whether it follows the message being edited, and will be removed. */
  isDimmed: boolean;
  /** The text of the next user message. */
  reply?: string | undefined;
  /** The id of the call that wrote the newest to-do list, if this message has it. */
  newestTodoCall?: string | undefined;
  /** How the agents of the chat stand, if the message has started or awaits some. */
  agents?: readonly Agent[] | undefined;
  /** The calls that began the tasks whose reports the message has. */
  askedBy?: AskingCalls | undefined;
  /** The work of its turn, if there is some. */
  work?: TurnWork | undefined;
  isWorkOpen?: boolean | undefined;
  /** Whether it follows a message of the person. */
  isReply?: boolean | undefined;
  /** Ids of its files that models no longer get as they are. */
  omittedIds?: readonly string[] | undefined;
  /** The message whose versions are shown at it: its own, or the first one of its answer. */
  versioned?: MessageView | undefined;
  /** Whether the model reads the history from here on. */
  isNewestBoundary?: boolean | undefined;
};

type RowsInput = {
  editingId: string | undefined;
  agents?: readonly Agent[] | undefined;
  isTurnRunning: boolean;
  isWorkOpen: (work: TurnWork) => boolean;
};

/** Converts messages to rows: marks the ends of turns and their work, and dims the rows after an edited message. */
export const toMessageRows = (
  messages: readonly MessageView[],
  { editingId, agents, isTurnRunning, isWorkOpen }: RowsInput,
): MessageRowData[] => {
  const workByMessage = findTurnWork(messages, isTurnRunning);
  const editingIndex = messages.findIndex(({ id }) => id === editingId);
  let reply: string | undefined;
  let newestTodoCall: string | undefined;
  const omitted = listOmittedFiles(messages);
  const newestBoundary = messages.findLast(isBoundary);
  const rows = messages.toReversed().map((message, reversedIndex): MessageRowData => {
    const index = messages.length - 1 - reversedIndex;
    const work = workByMessage.get(message);
    const row = {
      message,
      isLast: reversedIndex === 0,
      isTurnEnd: message.role !== "assistant" || messages[index + 1]?.role !== "assistant",
      isDimmed: editingIndex !== -1 && index > editingIndex,
      reply,
      agents: hasAgentCall(message) ? agents : undefined,
      askedBy: message.role === "event" ? findAskingCalls(messages, message) : undefined,
      work,
      isWorkOpen: work && isWorkOpen(work),
      isReply: messages[index - 1]?.role === "user",
      omittedIds: omitted.size > 0 ? findOmittedIds(message, omitted) : undefined,
      isNewestBoundary: message === newestBoundary,
      versioned: findVersioned(messages, index),
    };
    if (message.role === "user") reply = toMessageText(message);
    if (newestTodoCall !== undefined) return row;
    newestTodoCall = findTodoCall(message);
    return { ...row, newestTodoCall };
  });
  return rows.reverse();
};

/** The first message of an answer has its versions, and the end of the answer shows them. */
const findVersioned = (
  messages: readonly MessageView[],
  index: number,
): MessageView | undefined => {
  const message = messages[index];
  if (message?.alternatives ?? message?.former_answers) return message;
  const isStep = message?.role === "assistant" && messages[index - 1]?.role === "assistant";
  return isStep ? findVersioned(messages, index - 1) : undefined;
};

const findOmittedIds = (message: MessageView, omitted: ReadonlySet<string>): string[] =>
  listFiles(message).flatMap(({ file_id: id }) => (omitted.has(id) ? id : []));
const isBoundary = ({ role, parts }: MessageView): boolean =>
  role === "event" && parts.some(({ type }) => type === "summary");

const AGENT_TOOLS = new Set(["spawn_agent", "delegate", "wait_agent"]);

const hasAgentCall = ({ parts }: MessageView): boolean =>
  parts.some((part) => part.type === "tool_call" && AGENT_TOOLS.has(part.tool_name));

/** @returns the last call of a message that wrote a to-do list. */
const findTodoCall = ({ parts }: MessageView): string | undefined => {
  const call = parts.findLast(
    (part) =>
      part.type === "tool_call" && part.tool_name === "todo_write" && part.state === "completed",
  );
  return call?.type === "tool_call" ? call.tool_call_id : undefined;
};

type MessageRowProps = { row: MessageRowData; actions: MessageActions; now?: number | undefined };

const PlainRow = ({ row, actions, now }: MessageRowProps) => (
  <div
    data-message-id={row.message.id}
    inert={row.isDimmed}
    className={clsx(
      "mx-auto w-full max-w-[46rem] scroll-mt-3 rounded-md px-4 transition-opacity",
      row.message.role === "user" ? "pb-3" : row.isTurnEnd && "pb-6",
      row.isDimmed && "opacity-40",
    )}
  >
    {row.work?.seq === row.message.seq && (
      // In the space below the message of the person, so that nothing moves when it appears.
      <div
        className={clsx(
          "flex min-w-0",
          row.isReply && "pointer-events-none -mt-10 mb-3 pr-24 pointer-coarse:-mt-12",
        )}
      >
        <WorkLine
          fallback={<div className="h-7" />}
          work={row.work}
          isOpen={row.isWorkOpen === true}
          onToggle={(isOpen) => actions.onWorkToggle(row.message.seq, isOpen)}
        />
      </div>
    )}
    <FailureBoundary what="message" resetKeys={[row.message]}>
      <Body row={row} actions={actions} now={now} />
    </FailureBoundary>
  </div>
);

/** What a row shows is the same if these are, and what is compared below. */
const COMPARED = [
  "message",
  "isLast",
  "isTurnEnd",
  "isDimmed",
  "reply",
  "newestTodoCall",
  "agents",
  "isWorkOpen",
  "isReply",
  "isNewestBoundary",
  "versioned",
] as const satisfies (keyof MessageRowData)[];

/** Memoized, so that each token renders only the row of the preview. */
export const MessageRow = memo(
  PlainRow,
  (before, after) =>
    before.actions === after.actions &&
    before.now === after.now &&
    COMPARED.every((name) => before.row[name] === after.row[name]) &&
    before.row.omittedIds?.join() === after.row.omittedIds?.join() &&
    isSameWork(before.row.work, after.row.work) &&
    hasSameCalls(before.row.askedBy, after.row.askedBy),
);

const Versions = ({ row: { versioned, isLast, isTurnEnd }, actions }: MessageRowProps) =>
  versioned &&
  isTurnEnd && (
    <AlternativesSwitch
      fallback={<div className="h-7 w-20" />}
      message={versioned}
      isLast={isLast}
      onChoose={actions.onChoose}
    />
  );

const Body = ({ row, actions, now }: MessageRowProps) => {
  const { message, isLast, isTurnEnd, reply, newestTodoCall } = row;
  const lastSeq = message.steps?.at(-1)?.seq ?? message.seq;
  switch (message.role) {
    case "assistant":
      return (
        <AssistantMessage
          message={message}
          isTurnEnd={isTurnEnd}
          onRegenerate={isLast ? actions.onRegenerate : undefined}
          regenerateMenu={isLast ? actions.regenerateMenu : undefined}
          versions={<Versions row={row} actions={actions} />}
          onFork={actions.onFork && (() => actions.onFork?.(lastSeq))}
          work={row.work}
          isWorkOpen={row.isWorkOpen}
          onWorkFound={() => row.work && actions.onWorkToggle(row.work.seq, true)}
          place={{
            reply,
            newestTodoCall,
            onAnswer: actions.onAnswer,
            questionDrafts: actions.questionDrafts,
            cards: actions.cards,
            agents: row.agents,
            onStopTask: actions.onStopTask,
            onNavigate: actions.onNavigate,
          }}
          now={now}
        />
      );
    case "event":
      return <EventRow row={row} actions={actions} />;
    case "system":
      return (
        <p data-message-text className="text-center text-note text-muted">
          {toMessageText(message)}
        </p>
      );
    case "user":
      return <UserRow row={row} actions={actions} />;
  }
};

const EventRow = ({ row: { message, askedBy, isNewestBoundary }, actions }: MessageRowProps) => {
  const undo = isNewestBoundary ? actions.onBoundaryUndo : undefined;
  return isBoundary(message) ? (
    <SummaryMessage
      fallback={<div className="h-28 border-y" />}
      message={message}
      onUndo={undo && (() => undo(message.id))}
    />
  ) : (
    <ReportMessage
      fallback={<div className="h-20 rounded-lg border" />}
      message={message}
      askedBy={askedBy}
      onNavigate={actions.onNavigate}
    />
  );
};

/** The message keeps its button, and with it the focus, until its editor is loaded. */
const UserRow = ({ row, actions }: MessageRowProps) => {
  const { message, isLast, omittedIds } = row;
  const isEditing = actions.editingId === message.id;
  const isReady = usePartReady(MessageEditor, isEditing);
  if (!isEditing || !isReady) {
    return (
      <UserMessage
        message={message}
        omittedIds={omittedIds}
        versions={<Versions row={row} actions={actions} />}
        onEdit={actions.onEditStart && (() => actions.onEditStart?.(message.id))}
        onFork={actions.onFork && (() => actions.onFork?.(message.seq))}
      />
    );
  }
  const text = toMessageText(message);
  return (
    <MessageEditor
      fallback={<UserMessage message={message} />}
      text={text}
      files={listFiles(message)}
      hasLaterMessages={!isLast}
      isSaving={actions.isSavingEdit}
      onSave={(edited) => actions.onEditSave(message.id, { ...edited, before: text })}
      onCancel={actions.onEditCancel}
    />
  );
};
