"use client";
import { useState } from "react";
import { useShell } from "@/client/screens/shell/shell-context";
import { useActionAnswers } from "@/client/use-action-answers";
import { useAnswerDrafts } from "@/client/use-answer-drafts";
import { useRuleOptions } from "@/client/use-tools";
import { useAbsentToolsets } from "@/client/use-toolsets";
import type { FilledCall } from "@/components/answers/answer-form";
import { type Drafts, readDrafts, toDraftText } from "@/components/answers/draft";
import {
  AnsweredNote,
  type Asker,
  RequiredActionForm,
} from "@/components/answers/required-action-form";
import { UnsentAnswer } from "@/components/answers/unsent-answer";
import type { RequiredAction } from "@/contract/chat";
import type { Message } from "@/contract/message";
import { describeAnswerer, describeClosedCall } from "@/components/answers/describe-answerer";

type ActionToAnswerProps = {
  chatId: string;
  /** What the chat waits for. */
  openAction: RequiredAction | null;
  /** The messages of the chat; of an agent, they are only needed when it has been answered. */
  messages: readonly Message[];
  filledCall?: FilledCall | undefined;
  /** For an agent of the chat of the page. */
  asker?: Asker | undefined;
  /** Actions whose calls the person has decided on together with those of other chats. */
  decidedActions: readonly RequiredAction[];
};

/** The form for the required action of a parked chat, or who answered it before this person, and unsent drafts. */
const ActionToAnswer = (props: ActionToAnswerProps) => {
  const { chatId, openAction, messages, filledCall, asker, decidedActions } = props;
  const { user } = useShell();
  const [submitted, setSubmitted] = useState<{ messageId: string; hasFailed: boolean }>();
  const [taken, setTaken] = useState<RequiredAction>();
  const action = useLastAction(openAction);
  const facts = useActionFacts(openAction);
  const answers = useActionAnswers(chatId);
  const stored = useAnswerDrafts(chatId, openAction ?? undefined, readDrafts);
  const sentId = submitted?.hasFailed === false ? submitted.messageId : undefined;
  // The draft of an answer that is on its way is removed when it has arrived.
  const unsent = stored.unsent
    .filter(([id]) => id !== sentId)
    .flatMap((entry) => toUnsentAnswer(entry, messages, user.id) ?? []);
  const notes = unsent.map(({ id, ...answer }) => (
    <UnsentAnswer key={id} {...answer} onDiscard={() => stored.clear(id)} />
  ));
  if (!openAction) {
    const known = [sentId, ...decidedActions.map(toId), ...unsent.map(({ id }) => id)];
    const answerer = findAnswerer(action, { known, messages, userId: user.id });
    return (
      <>
        {notes}
        {answerer !== undefined && <AnsweredNote from={answerer} asker={asker} />}
      </>
    );
  }
  const messageId = openAction.message_id;
  const callbacks = {
    onSuccess: () => {
      stored.clear(messageId);
      setTaken(openAction);
    },
    onError: () => setSubmitted({ messageId, hasFailed: true }),
  };
  return (
    <>
      {notes}
      <RequiredActionForm
        action={openAction}
        asker={asker}
        drafts={stored.drafts}
        onDraftChange={stored.setDraft}
        filledCall={filledCall}
        {...facts}
        onSubmit={(results) => {
          setSubmitted({ messageId, hasFailed: false });
          answers.submitResults({ items: results, action: openAction }, callbacks);
        }}
        onDecide={(decisions) => {
          setSubmitted({ messageId, hasFailed: false });
          answers.submitDecisions(decisions, callbacks);
        }}
        // What was taken stays so until the stream brings what is open by now.
        isSubmitting={answers.isSubmitting || [taken, ...decidedActions].includes(openAction)}
        problem={
          submitted?.messageId === messageId ? answers.findProblem(callIds(openAction)) : undefined
        }
      />
    </>
  );
};

export default ActionToAnswer;

/** Loads what the form says of the tools of an action. */
const useActionFacts = (action: RequiredAction | null) => {
  const { approvals = [], tool_calls: calls = [] } = action ?? {};
  return { ruleOptions: useRuleOptions(approvals.length > 0), absent: useAbsentToolsets(calls) };
};

const toId = ({ message_id: id }: RequiredAction): string => id;

/** @returns who has answered an action; undefined if this page has, or shows what the person wrote for it. */
const findAnswerer = (
  action: RequiredAction | undefined,
  context: {
    /** The messages of such actions. */
    known: readonly (string | undefined)[];
    messages: readonly Message[];
    userId: string;
  },
): string | undefined => {
  if (!action || context.known.includes(action.message_id)) return undefined;
  return describeAnswerer(action, context.messages, context.userId);
};

/** @returns what was written for calls of a message that have ended; undefined if there is none. */
const toUnsentAnswer = (
  [id, drafts]: [messageId: string, drafts: Drafts],
  messages: readonly Message[],
  userId: string,
) => {
  const parts = messages.find((message) => message.id === id)?.parts ?? [];
  const calls = parts.flatMap((part) => {
    const draft = part.type === "tool_call" ? drafts[part.tool_call_id] : undefined;
    if (part.type !== "tool_call" || !draft || toDraftText(draft).trim() === "") return [];
    const reason = describeClosedCall(part, userId);
    return reason === undefined ? [] : [{ reason, part, text: toDraftText(draft) }];
  });
  const [first] = calls;
  return (
    first && {
      id,
      reason: first.reason,
      drafts: calls.map(({ part, text }) => ({
        toolCallId: part.tool_call_id,
        toolName: part.tool_name,
        text,
      })),
    }
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
