"use client";
import { clsx } from "clsx";
import { memo } from "react";
import type { MessageView } from "@/contract/chat-view";
import { AssistantMessage } from "./assistant-message";
import { MessageEditor } from "./message-editor";
import { messageText } from "./message-text";
import { UserMessage } from "./user-message";

/** What can be done with messages; what is absent is not offered. */
export type MessageActions = {
  /** The user message being rewritten, if any. */
  editingId: string | undefined;
  savingEdit: boolean;
  onEditStart?: ((messageId: string) => void) | undefined;
  onEditCancel: () => void;
  onEditSave: (messageId: string, text: string) => void;
  onRegenerate?: (() => void) | undefined;
};

/** A message and where it stands among the others. */
export type PlacedMessage = {
  message: MessageView;
  isLast: boolean;
  endsTurn: boolean;
  /** It comes after the message being edited, and will be gone. */
  dimmed: boolean;
};

type MessageRowProps = { placed: PlacedMessage; actions: MessageActions; now?: number | undefined };

const PlainRow = ({ placed, actions, now }: MessageRowProps) => (
  <div
    data-message-id={placed.message.id}
    inert={placed.dimmed}
    className={clsx(
      "mx-auto w-full max-w-[46rem] px-4 transition-opacity",
      placed.message.role === "user" ? "pb-3" : placed.endsTurn ? "pb-6" : "pb-2.5",
      placed.dimmed && "opacity-40",
    )}
  >
    <Body placed={placed} actions={actions} now={now} />
  </div>
);

/** Only a row that changed is drawn anew, however many stand above the one being written. */
export const MessageRow = memo(
  PlainRow,
  (before, after) =>
    before.actions === after.actions &&
    before.now === after.now &&
    before.placed.message === after.placed.message &&
    before.placed.isLast === after.placed.isLast &&
    before.placed.endsTurn === after.placed.endsTurn &&
    before.placed.dimmed === after.placed.dimmed,
);

const Body = ({ placed: { message, isLast, endsTurn }, actions, now }: MessageRowProps) => {
  switch (message.role) {
    case "assistant":
      return (
        <AssistantMessage
          message={message}
          endsTurn={endsTurn}
          onRegenerate={isLast ? actions.onRegenerate : undefined}
          now={now}
        />
      );
    case "system":
      return <p className="text-center text-xs text-muted">{messageText(message)}</p>;
    case "user":
      return actions.editingId === message.id ? (
        <MessageEditor
          text={messageText(message)}
          hasLater={!isLast}
          saving={actions.savingEdit}
          onSave={(text) => actions.onEditSave(message.id, text)}
          onCancel={actions.onEditCancel}
        />
      ) : (
        <UserMessage
          message={message}
          onEdit={actions.onEditStart && (() => actions.onEditStart?.(message.id))}
        />
      );
  }
};
