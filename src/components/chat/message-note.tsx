import { CircleStop, type LucideIcon, Scissors, ShieldAlert, StepForward } from "lucide-react";
import type { MessageView } from "@/contract/chat-view";
import type { FinishReason } from "@/contract/message";

type Note = { icon: LucideIcon; text: string };

const NOTE: Partial<Record<FinishReason, Note>> = {
  interrupted: { icon: CircleStop, text: "Interrupted. What was written so far is kept." },
  "step-limit": {
    icon: StepForward,
    text: "Stopped at this chat’s step limit. Send a message to go on.",
  },
  "invalid-format": {
    icon: CircleStop,
    text: "The answer does not have the form that was asked for.",
  },
  length: { icon: Scissors, text: "Cut off at the model’s output limit." },
  "content-filter": { icon: ShieldAlert, text: "The provider’s content filter ended this answer." },
};

/** Explains why an answer ended early; renders nothing for other answers. */
const MessageNote = ({ message }: { message: MessageView }) => {
  const reason = message.interrupted === true ? "interrupted" : message.finish_reason;
  const note = reason === undefined ? undefined : NOTE[reason];
  if (note === undefined) return null;
  const { icon: Icon, text } = note;
  return (
    <p className="flex items-center gap-2 text-note text-muted">
      <Icon aria-hidden size={14} className="shrink-0" />
      {text}
    </p>
  );
};

export default MessageNote;
