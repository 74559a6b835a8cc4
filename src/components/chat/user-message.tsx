"use client";
import { Pencil } from "lucide-react";
import { CopyButton } from "@/components/ui/copy-button";
import { IconButton } from "@/components/ui/icon-button";
import type { MessageView } from "@/contract/chat-view";
import { toMessageText } from "./message-parts";

type UserMessageProps = {
  message: MessageView;
  /** Absent if the message cannot be edited. */
  onEdit?: (() => void) | undefined;
};

export const UserMessage = ({ message, onEdit }: UserMessageProps) => {
  const text = toMessageText(message);
  return (
    <article aria-label="You" className="group flex flex-col items-end gap-1">
      <div className="max-w-[85%] rounded-xl rounded-br-sm bg-surface px-3.5 py-2 text-base break-words whitespace-pre-wrap ring-1 ring-border ring-inset">
        {text}
      </div>
      <div className="flex gap-0.5 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 pointer-fine:opacity-0">
        <CopyButton label="Copy message" text={text} />
        {onEdit && (
          <IconButton
            size="sm"
            label="Edit message"
            icon={<Pencil aria-hidden size={15} />}
            onClick={onEdit}
          />
        )}
      </div>
    </article>
  );
};
