import { useState } from "react";
import type { MessageView } from "@/contract/chat-view";
import type { MessageActions } from "./message-row";
import { findTurnWork, hasFoldedContent, type TurnWork } from "./turn-work";

/** Whether the work of a turn is open, by the `seq` of its first message. */
export type OpenTurns = Readonly<Partial<Record<number, boolean>>>;

type OpenWorkInput = {
  messages: readonly MessageView[];
  isTurnRunning: boolean;
  openTurns: OpenTurns;
  actions: Pick<MessageActions, "onWorkToggle">;
};

/**
 * Whether the work of turns is open: as the person wants it, otherwise that of turns which were not over when the list was
 * first shown, so that nothing folds away under a reader.
 */
export const useOpenWork = ({ messages, isTurnRunning, openTurns, actions }: OpenWorkInput) => {
  const work = findTurnWork(messages, isTurnRunning);
  const last = messages.at(-1);
  const lastWork = last && work.get(last);
  const runningSeq = lastWork?.isFinished === false ? lastWork.seq : Infinity;
  const [firstSeq, setFirstSeq] = useState(() => Math.min(runningSeq, (last?.seq ?? 0) + 1));
  // An edited chat begins again with an earlier number.
  if (runningSeq < firstSeq) setFirstSeq(runningSeq);
  const isOpen = ({ seq }: TurnWork): boolean => openTurns[seq] ?? seq >= firstSeq;
  return {
    isOpen,
    /** Opens the work of a message that has more of it than reasoning. */
    showMessage: (message: MessageView): void => {
      const turn = work.get(message);
      if (turn && !isOpen(turn) && hasFoldedContent(message, turn)) {
        actions.onWorkToggle(turn.seq, true);
      }
    },
  };
};
