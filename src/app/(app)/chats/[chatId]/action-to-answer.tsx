"use client";
import { useState } from "react";
import { useShell } from "@/app/(app)/shell-context";
import type { ChatView } from "@/client/chat-view";
import { useActionAnswers } from "@/client/use-action-answers";
import { useAnswerDrafts } from "@/client/use-answer-drafts";
import { Draft } from "@/components/forms/draft";
import { RequiredActionForm } from "@/components/forms/required-action-form";
import type { ChatSnapshot, RequiredAction } from "@/contract/chat";
import { answeredBy } from "./answered-by";

type ActionToAnswerProps = { view: ChatView; chat: ChatSnapshot };

/** The form for what a parked chat waits for; when somebody else answered first, it says who. */
export const ActionToAnswer = ({ view, chat }: ActionToAnswerProps) => {
  const { user } = useShell();
  const open = chat.required_action;
  const [answered, setAnswered] = useState<readonly string[]>([]);
  const last = useLastAction(open);
  const answers = useActionAnswers(chat.id);
  const { drafts, setDraft, clear } = useAnswerDrafts(chat.id, open, Draft);
  if (!last) return null;
  const ids = callIds(last);
  const isMine = ids.some((id) => answered.includes(id));
  const closedBy = open || isMine ? undefined : answeredBy(last, view.messages, user.id);
  if (!open && closedBy === undefined) return null;
  const taking = { onTaken: clear, onRefused: () => setAnswered([]) };
  return (
    <RequiredActionForm
      action={last}
      drafts={drafts}
      onDraftChange={setDraft}
      onSubmit={(results) => {
        setAnswered(ids);
        answers.answer(results, taking);
      }}
      onDecide={(decisions) => {
        setAnswered(ids);
        answers.decide(decisions, taking);
      }}
      submitting={answers.sending}
      problem={answers.problemOf(ids)}
      closedBy={closedBy}
    />
  );
};

/** The action that is open, or else the one that was open last on this screen. */
const useLastAction = (open: RequiredAction | null): RequiredAction | undefined => {
  const [last, setLast] = useState(open);
  if (open && open !== last) setLast(open);
  return open ?? last ?? undefined;
};

const callIds = ({ tool_calls: calls, approvals }: RequiredAction): string[] =>
  [...calls, ...approvals].map((call) => call.tool_call_id);
