"use client";
import { useContinue } from "@/client/use-continue";
import { useNavigate } from "@/client/use-navigate";
import type { ChatActions } from "@/client/use-chat-actions";
import ChatErrorAlert from "@/components/chat/chat-error-alert";
import ContinueTurn from "@/components/chat/continue-turn";
import { UnansweredMessage } from "@/components/chat/unanswered-message";
import { Alert } from "@/components/ui/alert";
import { FailureAlert } from "@/components/ui/failure-alert";
import type { ChatSnapshot } from "@/contract/chat";
import type { ChatError } from "@/contract/chat-error";

type TurnEndingProps = {
  chat: ChatSnapshot;
  /** Whether the turn rests after the results of its tools. */
  rests: boolean;
  /** Whether the chat rests at a message of the person. */
  isUnanswered: boolean;
  /** Whether a turn that has failed had results of its tools by then. */
  hasResults: boolean;
  actions: ChatActions;
};

/** What a turn has ended with other than an answer, and how to go on. */
const TurnEnding = ({ chat, rests, isUnanswered, hasResults, actions }: TurnEndingProps) => (
  <>
    {rests && <RestingTurn chatId={chat.id} />}
    {isUnanswered && (
      <UnansweredMessage onAnswer={actions.regenerate} isBusy={actions.isRegenerating} />
    )}
    {chat.compaction?.status === "failed" && (
      <Alert tone="warning" title="What came before could not be summed up.">
        {chat.compaction.message}
      </Alert>
    )}
    {chat.status === "error" && chat.last_error !== null && (
      <FailedTurn
        error={chat.last_error}
        chatId={chat.id}
        actions={actions}
        hasResults={hasResults}
      />
    )}
  </>
);

export default TurnEnding;

const RestingTurn = ({ chatId }: { chatId: string }) => {
  const { continueTurn, isContinuing, problem } = useContinue(chatId);
  return (
    <ContinueTurn onContinue={continueTurn} isContinuing={isContinuing} error={problem?.detail} />
  );
};

type FailedTurnProps = Pick<TurnEndingProps, "actions" | "hasResults"> & {
  chatId: string;
  error: ChatError;
};

/** Tries again what has failed: the answer to the results of the tools if there are any, else the whole turn. */
const FailedTurn = ({ chatId, error, actions, hasResults }: FailedTurnProps) => {
  const { continueTurn, isContinuing, problem } = useContinue(chatId);
  const navigate = useNavigate();
  return (
    <div className="grid gap-2">
      <FailureAlert title="The turn was not continued" detail={problem?.detail} />
      <ChatErrorAlert
        error={error}
        onRetry={hasResults ? continueTurn : actions.regenerate}
        isRetrying={isContinuing || actions.isRegenerating}
        onNavigate={navigate}
      />
    </div>
  );
};
