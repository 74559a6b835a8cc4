"use client";
import { memo, useState } from "react";
import { useNavigate } from "@/client/use-navigate";
import { useNewestMessages } from "@/client/use-newest-messages";
import { AgentActions } from "@/components/chat/agent-actions";
import type { Asker } from "@/components/answers/required-action-form";
import type { ChildAction, RequiredAction } from "@/contract/chat";
import { countOpenCalls } from "@/contract/chat-status";
import ActionToAnswer from "./action-to-answer";

type AgentsToAnswerProps = {
  /** What agents of the chat wait for. */
  actions: readonly ChildAction[];
  /** The `seq` of the person's last message, after which nothing is said any more of agents that were answered. */
  lastUserSeq: number | undefined;
  /** Those that the person has decided on together. */
  decidedActions: readonly RequiredAction[];
};

/** The forms for what agents of the chat wait for, or who answered them before this person. */
const AgentsToAnswer = memo((props: AgentsToAnswerProps) => {
  const { actions, lastUserSeq, decidedActions } = props;
  const navigate = useNavigate();
  const agents = useAskingAgents(actions, lastUserSeq);
  return (
    <AgentActions
      agents={agents}
      openIds={actions.flatMap((action) => (countOpenCalls(action) > 0 ? action.chat_id : []))}
      onNavigate={navigate}
      renderAction={(chatId, asker) => (
        <AgentToAnswer
          chatId={chatId}
          action={find(actions, { chat_id: chatId })}
          asker={asker}
          decidedActions={decidedActions}
        />
      )}
    />
  );
});
AgentsToAnswer.displayName = "AgentsToAnswer";

export default AgentsToAnswer;

type AgentToAnswerProps = Pick<AgentsToAnswerProps, "decidedActions"> & {
  chatId: string;
  action: ChildAction | undefined;
  asker: Asker;
};

/** One agent. The answers go to the agent's own chat, as they would from its page. */
const AgentToAnswer = ({ chatId, action, ...rest }: AgentToAnswerProps) => (
  <ActionToAnswer
    {...rest}
    chatId={chatId}
    openAction={action ?? null}
    messages={useNewestMessages(chatId, action === undefined)}
  />
);

/** @returns the agents that ask or have asked on this screen, in the order in which they did. */
const useAskingAgents = (
  actions: readonly ChildAction[],
  lastUserSeq: number | undefined,
): readonly ChildAction[] => {
  const [asking, setAsking] = useState(actions);
  const [seenSeq, setSeenSeq] = useState(lastUserSeq);
  const known = seenSeq === lastUserSeq ? asking : asking.filter((agent) => find(actions, agent));
  const added = actions.filter((agent) => !find(known, agent));
  if (seenSeq !== lastUserSeq) setSeenSeq(lastUserSeq);
  if (known !== asking || added.length > 0) setAsking([...known, ...added]);
  // Those that ask have the title that they have now.
  return [...known, ...added].map((agent) => find(actions, agent) ?? agent);
};

const find = (actions: readonly ChildAction[], { chat_id: id }: Pick<ChildAction, "chat_id">) =>
  actions.find((action) => action.chat_id === id);
