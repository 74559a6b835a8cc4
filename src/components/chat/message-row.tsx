"use client";
import { clsx } from "clsx";
import { memo } from "react";
import type { MessageView } from "@/contract/chat-view";
import { AssistantMessage } from "./assistant-message";
import { MessageEditor } from "./message-editor";
import { toMessageText } from "./message-parts";
import { UserMessage } from "./user-message";

/** The actions on messages; an absent one is not offered. */
export type MessageActions = {
  /** The user message being edited. */
  editingId: string | undefined;
  isSavingEdit: boolean;
  onEditStart?: ((messageId: string) => void) | undefined;
  onEditCancel: () => void;
  onEditSave: (messageId: string, text: string) => void;
  onRegenerate?: (() => void) | undefined;
};

/** A message and its position in the list. */
export type MessageRowData = {
  message: MessageView;
  isLast: boolean;
  isTurnEnd: boolean;
  /** Whether it follows the message being edited, and will be removed. */
  isDimmed: boolean;
};

/** Converts messages to rows: marks the ends of turns and dims the rows after an edited message. */
export const toMessageRows = (
  messages: readonly MessageView[],
  editingId: string | undefined,
): MessageRowData[] => {
  const editingIndex = messages.findIndex(({ id }) => id === editingId);
  return messages.map((message, index) => ({
    message,
    isLast: index === messages.length - 1,
    isTurnEnd: message.role !== "assistant" || messages[index + 1]?.role !== "assistant",
    isDimmed: editingIndex !== -1 && index > editingIndex,
  }));
};

type MessageRowProps = { row: MessageRowData; actions: MessageActions; now?: number | undefined };

const PlainRow = ({ row, actions, now }: MessageRowProps) => (
  <div
    data-message-id={row.message.id}
    inert={row.isDimmed}
    className={clsx(
      "mx-auto w-full max-w-[46rem] px-4 transition-opacity",
      row.message.role === "user" ? "pb-3" : row.isTurnEnd ? "pb-6" : "pb-2.5",
      row.isDimmed && "opacity-40",
    )}
  >
    <Body row={row} actions={actions} now={now} />
  </div>
);

/** Memoized, so that each token renders only the row of the preview. */
export const MessageRow = memo(
  PlainRow,
  (before, after) =>
    before.actions === after.actions &&
    before.now === after.now &&
    before.row.message === after.row.message &&
    before.row.isLast === after.row.isLast &&
    before.row.isTurnEnd === after.row.isTurnEnd &&
    before.row.isDimmed === after.row.isDimmed,
);

const Body = ({ row: { message, isLast, isTurnEnd }, actions, now }: MessageRowProps) => {
  switch (message.role) {
    case "assistant":
      return (
        <AssistantMessage
          message={message}
          isTurnEnd={isTurnEnd}
          onRegenerate={isLast ? actions.onRegenerate : undefined}
          now={now}
        />
      );
    case "system":
      return <p className="text-center text-xs text-muted">{toMessageText(message)}</p>;
    case "user":
      return actions.editingId === message.id ? (
        <MessageEditor
          text={toMessageText(message)}
          hasLaterMessages={!isLast}
          isSaving={actions.isSavingEdit}
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
