"use client";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { createCallDrafts } from "@/client/call-drafts";
import { type ChatView, toMessageViews } from "@/client/chat-view";
import { useHasAnswerDrafts } from "@/client/use-answer-drafts";
import type { ChatActions } from "@/client/use-chat-actions";
import { useCardContents } from "@/client/use-tools";
import { useNavigate } from "@/client/use-navigate";
import { useOlderMessages } from "@/client/use-older-messages";
import { useOpenTurns } from "@/client/use-open-turns";
import { applyRequiredAction } from "@/components/chat/apply-required-action";
import { toChatActivity } from "@/components/chat/chat-activity";
import { MessageList } from "@/components/chat/message-list";
import { joinCallSteps } from "@/components/chat/message-parts";
import type { MessageActions } from "@/components/chat/message-row";
import { hasCalls, useShownMessages } from "@/components/chat/use-shown-messages";
import { StatusLine } from "@/components/chat/status-line";
import type { FilledCall } from "@/components/answers/answer-form";
import type { CardContents } from "@/components/tool-cards/tool-card";
import { afterCardLibrary } from "@/components/tool-cards/load-cards";
import { FailureBoundary } from "@/components/ui/failure-boundary";
import { lazyParts } from "@/components/ui/lazy-parts";
import { Spinner } from "@/components/ui/spinner";
import { useHasBeenTrue } from "@/components/ui/use-has-been-true";
import type { ChatSnapshot, ChildAction, RequiredAction } from "@/contract/chat";
import { countOpenCalls, isBusy } from "@/contract/chat-status";
import type { MessageView, PartView } from "@/contract/chat-view";
import type { Model } from "@/contract/model";
import { useSearchParams } from "next/navigation";
import { importAnswering, loadAnswering } from "./load-answering";
import { usePrintWhole } from "./use-print-whole";

const importAgentsToAnswer = () => import("./agents-to-answer");
const importApproveAll = () => import("./approve-all");
/** Large, and most chats wait for no answer. */
const ActionToAnswer = lazyParts(importAnswering, loadAnswering);
const AgentsToAnswer = lazyParts(importAgentsToAnswer, afterCardLibrary(importAgentsToAnswer));
const ApproveAll = lazyParts(importApproveAll, afterCardLibrary(importApproveAll));
/** Most turns end with an answer. */
const TurnEnding = lazyParts(() => import("./turn-ending"));

type ChatTimelineProps = {
  view: ChatView;
  chat: ChatSnapshot;
  models: readonly Model[];
  isConnected: boolean;
  actions: ChatActions;
  editingId: string | undefined;
  onEditingChange: (messageId: string | undefined) => void;
  filledCall: FilledCall | undefined;
  sentCount: number;
};

/** The messages with the required action, and the status line below them. */
export const ChatTimeline = (props: ChatTimelineProps) => {
  const { view, chat, isConnected, actions } = props;
  const older = useOlder(view, chat.id);
  const messages = toMessageViews(view);
  const { shown, isHeld } = useShownMessages(messages);
  const cards = useCardContents(messages.some(hasCalls));
  const isChatBusy = isBusy(chat.status);
  const [openTurns, toggleWork] = useOpenTurns(chat.id);
  const rowActions = useRowActions(props, {
    cards,
    toggleWork,
    canChange: !isChatBusy && !chat.archived,
  });
  const activity = toChatActivity({
    chat,
    isConnected,
    isAnswering: messages.at(-1)?.preview === true,
    compaction: view.preview.compaction,
    runningTools: findRunningTools(messages),
    since: chat.updated_at,
  });
  const last = findLastStep(messages);
  const hasEnding =
    chat.status === "error" ||
    chat.compaction?.status === "failed" ||
    isResting(chat, last) ||
    isUnanswered(chat, last);
  return (
    <>
      <MessageList
        messages={joinCallSteps(applyRequiredAction(shown, chat.required_action))}
        actions={rowActions}
        openTurns={openTurns}
        agents={view.agents}
        isTurnRunning={isChatBusy && chat.status !== "requires_action"}
        hasOlder={view.hasOlder}
        isLoadingOlder={older.isLoading}
        hasOlderFailed={older.hasFailed}
        onLoadOlder={() => older.load()}
        sentCount={props.sentCount}
        {...useTarget(view, older)}
      >
        {!isHeld && <Actions {...props} />}
        {hasEnding && (
          <TurnEnding
            chat={chat}
            rests={!isHeld && isResting(chat, last)}
            isUnanswered={!isHeld && isUnanswered(chat, last)}
            hasResults={endsWithResults(messages)}
            actions={actions}
          />
        )}
      </MessageList>
      <div data-screen-only className="mx-auto w-full max-w-[46rem] shrink-0 px-4">
        <StatusLine activity={activity} waitingAgents={countAsking(view.childActions)} />
      </div>
    </>
  );
};

/** The forms for what the chat and its agents wait for. */
const Actions = ({ view, chat, filledCall }: ChatTimelineProps) => {
  const hasDrafts = useHasAnswerDrafts(chat.id);
  // After an action it shows who answered; drafts of closed ones stay readable.
  const needsAnswers = useHasBeenTrue(chat.required_action !== null || hasDrafts);
  const agentsNeedAnswers = useHasBeenTrue(view.childActions.length > 0);
  const [decidedActions, setDecidedActions] = useState<readonly RequiredAction[]>([]);
  const asking = [chat.required_action ?? [], view.childActions]
    .flat()
    .filter(({ approvals }) => approvals.length > 0);
  return (
    <>
      {needsAnswers && (
        <FailureBoundary what="form" resetKeys={[chat.required_action]}>
          <ActionToAnswer
            fallback={chat.required_action && <LoadingForm />}
            chatId={chat.id}
            openAction={chat.required_action}
            messages={view.messages}
            filledCall={filledCall}
            decidedActions={decidedActions}
          />
        </FailureBoundary>
      )}
      {agentsNeedAnswers && (
        <FailureBoundary what="form" resetKeys={[view.childActions]}>
          <AgentsToAnswer
            fallback={view.childActions.length > 0 && <LoadingForm />}
            actions={view.childActions}
            lastUserSeq={view.messages.findLast(({ role }) => role === "user")?.seq}
            decidedActions={decidedActions}
          />
        </FailureBoundary>
      )}
      {asking.length > 1 && (
        <FailureBoundary what="form" resetKeys={[asking.length]}>
          <ApproveAll
            chatId={chat.id}
            actions={asking}
            isSent={asking.some((action) => decidedActions.includes(action))}
            onSent={setDecidedActions}
          />
        </FailureBoundary>
      )}
    </>
  );
};

/** Counts the agents that wait for a person, and not only for the programs that work on their calls. */
const countAsking = (actions: readonly ChildAction[]): number =>
  actions.filter((action) => countOpenCalls(action) > 0).length;

/** A boundary after the last message is none. */
const findLastStep = (messages: readonly MessageView[]): MessageView | undefined =>
  messages.findLast(({ parts }) => parts.every(({ type }) => type !== "summary"));

/** Whether the turn rests after the results of its tools. */
const isResting = ({ status, archived }: ChatSnapshot, last: MessageView | undefined): boolean =>
  status === "waiting" && !archived && last?.finish_reason === "auto-submit-off";

/** Whether the chat rests at a message of the person, as a branch from it does. */
const isUnanswered = ({ status, archived }: ChatSnapshot, last: MessageView | undefined): boolean =>
  status === "waiting" && !archived && last?.role === "user";

/** Whether a turn that has failed had results of its tools by then, before an answer that it did not end. */
const endsWithResults = (messages: readonly MessageView[]): boolean => {
  const last = messages.at(-1);
  const results = last?.role === "assistant" && last.interrupted ? messages.at(-2) : last;
  const parts: readonly PartView[] = results?.role === "assistant" ? results.parts : [];
  return parts.some((part) => part.type === "tool_call" && part.kind !== "provider");
};

/** Loads older messages on demand, for a print, and when an alternative has replaced all that were loaded. */
const useOlder = (
  { messages, hasOlder }: ChatView,
  chatId: string,
): ReturnType<typeof useOlderMessages> => {
  const older = useOlderMessages(chatId);
  usePrintWhole(hasOlder, older);
  const isReplaced = hasOlder && messages.length === 0;
  const load = useEffectEvent(() => older.load());
  // Syncs with the server, from which the page has the messages.
  useEffect(() => {
    if (isReplaced) load();
  }, [isReplaced]);
  return older;
};

const TARGET = "message";

/** The message that the address names, and what shows it; older messages are loaded up to it. */
const useTarget = (view: ChatView, older: ReturnType<typeof useOlderMessages>) => {
  const value = useSearchParams().get(TARGET);
  const target = value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
  const first = view.messages[0]?.seq;
  const isMissing = target !== undefined && first !== undefined && first > target && view.hasOlder;
  const load = useEffectEvent(() => older.load(target));
  // Syncs with the address of the page.
  useEffect(() => {
    if (isMissing) load();
  }, [isMissing, target]);
  return { target, onTarget: showMessage, onTargetShown: showMessage };
};

/**
 * Shows a message, once it is loaded. Next reads the address when it changes; without a target, a link to the same
 * message jumps again.
 */
export const showMessage = (seq?: number): void => {
  const { pathname } = window.location;
  window.history.replaceState(
    null,
    "",
    seq === undefined ? pathname : `${pathname}?${TARGET}=${seq}`,
  );
};

const LoadingForm = () => (
  <p role="status" className="flex items-center gap-2 rounded-xl border px-4 py-3 text-muted">
    <Spinner /> Your answer is needed. The form is loading…
  </p>
);

/** Returns the same object until an action changes, so that only the streaming row renders again. */
const useRowActions = (
  { chat, models, actions, editingId, onEditingChange }: ChatTimelineProps,
  {
    cards,
    toggleWork,
    canChange,
  }: {
    cards: CardContents | undefined;
    toggleWork: MessageActions["onWorkToggle"];
    canChange: boolean;
  },
): MessageActions => {
  const { send, edit, regenerate, regenerateWith, fork, choose, ...others } = actions;
  const { isSavingEdit, cancelTask, undoBoundary } = others;
  const canFork = canChange && chat.parent_chat_id === null;
  const navigate = useNavigate();
  return useMemo(() => {
    return {
      editingId,
      isSavingEdit,
      onEditStart: canChange ? onEditingChange : undefined,
      onEditCancel: () => onEditingChange(undefined),
      onEditSave: edit,
      onRegenerate: canChange ? regenerate : undefined,
      regenerateMenu: canChange
        ? { models, modelId: chat.model_id, onRegenerate: regenerateWith }
        : undefined,
      onChoose: canChange ? choose : undefined,
      onFork: canFork ? fork : undefined,
      // Another tab may have answered, so an answer does not wait in the queue.
      onAnswer: canChange ? (text) => send({ text, files: [] }, "reject", []) : undefined,
      questionDrafts: createCallDrafts(chat.id),
      cards,
      onStopTask: cancelTask,
      onBoundaryUndo: canChange ? undoBoundary : undefined,
      onNavigate: navigate,
      onWorkToggle: toggleWork,
    };
  }, [
    chat.id,
    chat.model_id,
    models,
    cards,
    toggleWork,
    canChange,
    canFork,
    fork,
    send,
    edit,
    editingId,
    onEditingChange,
    regenerate,
    regenerateWith,
    choose,
    isSavingEdit,
    cancelTask,
    undoBoundary,
    navigate,
  ]);
};

const findRunningTools = (messages: readonly MessageView[]): string[] => {
  const parts: readonly PartView[] = messages.at(-1)?.parts ?? [];
  return parts.flatMap((part) =>
    part.type === "tool_call" && part.state === "running" ? [part.tool_name] : [],
  );
};
