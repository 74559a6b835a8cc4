"use client";
import { useState } from "react";
import { useShell } from "@/app/(app)/shell-context";
import type { ChatView } from "@/client/chat-view";
import { useAnswerDrafts } from "@/client/use-answer-drafts";
import type { useChatActions } from "@/client/use-chat-actions";
import { RequiredActionForm } from "@/components/forms/required-action-form";
import type { ChatSnapshot, RequiredAction } from "@/contract/chat";
import { answeredBy } from "./answered-by";

type ActionToAnswerProps = {
  view: ChatView;
  chat: ChatSnapshot;
  actions: ReturnType<typeof useChatActions>;
};

/** The form for what a parked chat waits for; when somebody else answered first, it says who. */
export const ActionToAnswer = ({ view, chat, actions }: ActionToAnswerProps) => {
  const { user } = useShell();
  const open = chat.required_action;
  const [last, setLast] = useState<{ action: RequiredAction; version: number; mine: boolean }>();
  if (open && last?.version !== chat.version) {
    setLast({
      action: open,
      version: chat.version,
      mine: last?.mine === true && !isOther(last.action, open),
    });
  }
  const { drafts, setDraft, clear } = useAnswerDrafts(chat.id, open);
  const closedBy =
    !open && last && !last.mine ? answeredBy(last.action, view.messages, user.id) : undefined;
  const action = open ?? (closedBy === undefined ? undefined : last?.action);
  if (!action) return null;
  const setMine = (mine: boolean): void => setLast((known) => known && { ...known, mine });
  const taking = { onTaken: clear, onRefused: () => setMine(false) };
  return (
    <RequiredActionForm
      action={action}
      drafts={drafts}
      onDraftChange={setDraft}
      onSubmit={(results) => {
        setMine(true);
        actions.answer(results, taking);
      }}
      onDecide={(decisions) => {
        setMine(true);
        actions.decide(decisions, taking);
      }}
      submitting={actions.answering}
      problem={actions.answerProblem(callIds(action))}
      closedBy={closedBy}
    />
  );
};

const callIds = ({ tool_calls: calls, approvals }: RequiredAction): string[] =>
  [...calls, ...approvals].map((call) => call.tool_call_id);

const isOther = (before: RequiredAction, after: RequiredAction): boolean => {
  const known = callIds(before);
  return !callIds(after).some((id) => known.includes(id));
};
