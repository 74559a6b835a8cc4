"use client";
import { useState } from "react";
import { useShell } from "@/app/(app)/shell-context";
import type { ChatView } from "@/client/chat-view";
import { useActionAnswers } from "@/client/use-action-answers";
import { useAnswerDrafts } from "@/client/use-answer-drafts";
import { Draft } from "@/components/forms/draft";
import { RequiredActionForm } from "@/components/forms/required-action-form";
import type { ChatSnapshot, RequiredAction } from "@/contract/chat";
import { describeAnswerer } from "./describe-answerer";

type ActionToAnswerProps = { view: ChatView; chat: ChatSnapshot };

/** The form for the required action of a parked chat, or who answered it before this person. */
export const ActionToAnswer = ({ view, chat }: ActionToAnswerProps) => {
  const { user } = useShell();
  const openAction = chat.required_action;
  const [submittedIds, setSubmittedIds] = useState<readonly string[]>([]);
  const action = useLastAction(openAction);
  const answers = useActionAnswers(chat.id);
  const { drafts, setDraft, clear } = useAnswerDrafts(chat.id, openAction, Draft);
  if (!action) return null;
  const ids = callIds(action);
  const isMine = ids.some((id) => submittedIds.includes(id));
  const closedBy =
    openAction || isMine ? undefined : describeAnswerer(action, view.messages, user.id);
  if (!openAction && closedBy === undefined) return null;
  const callbacks = { onSuccess: clear, onError: () => setSubmittedIds([]) };
  return (
    <RequiredActionForm
      action={action}
      drafts={drafts}
      onDraftChange={setDraft}
      onSubmit={(results) => {
        setSubmittedIds(ids);
        answers.submitResults(results, callbacks);
      }}
      onDecide={(decisions) => {
        setSubmittedIds(ids);
        answers.submitDecisions(decisions, callbacks);
      }}
      isSubmitting={answers.isSubmitting}
      problem={answers.findProblem(ids)}
      closedBy={closedBy}
    />
  );
};

/** Returns the open action, or the one that was open last on this screen. */
const useLastAction = (openAction: RequiredAction | null): RequiredAction | undefined => {
  const [last, setLast] = useState(openAction);
  if (openAction && openAction !== last) setLast(openAction);
  return openAction ?? last ?? undefined;
};

const callIds = ({ tool_calls: calls, approvals }: RequiredAction): string[] =>
  [...calls, ...approvals].map((call) => call.tool_call_id);
