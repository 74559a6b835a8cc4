import { ArrowUpFromLine, Pencil, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import type { QueuedMessage } from "@/contract/message";
import { IconButton } from "@/components/ui/icon-button";
import { Spinner } from "@/components/ui/spinner";

/** More than these are folded, so that the queue never hides the chat. */
const MAX_IN_SIGHT = 3;

export type QueueAction = "send-now" | "edit" | "remove";

type QueueListProps = {
  /** In the order in which they will be sent. */
  messages: readonly QueuedMessage[];
  onAct: (action: QueueAction, message: QueuedMessage) => void;
  /** What is being done at the moment; only one thing at a time. */
  acting?: { id: string; action: QueueAction } | undefined;
  /** False while the composer holds a text that an edit would replace. */
  canEdit: boolean;
};

/** Messages that wait for the running turn to end. */
export const QueueList = ({ messages, onAct, acting, canEdit }: QueueListProps) => {
  const id = useId();
  const [open, setOpen] = useState(false);
  const shown = open ? messages : messages.slice(0, MAX_IN_SIGHT);
  const folded = messages.length - MAX_IN_SIGHT;
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-xl border bg-surface">
      <div className="flex items-center justify-between gap-4 px-3 pt-2">
        <h2 id={id} className="text-xs font-medium text-muted">
          {messages.length === 1 ? "1 message waits" : `${messages.length} messages wait`}
        </h2>
        {folded > 0 && (
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="rounded-sm text-xs font-medium text-accent underline-offset-2 hover:underline pointer-coarse:py-1.5"
          >
            {open ? "Show fewer" : `Show ${folded} more`}
          </button>
        )}
      </div>
      <ol className="max-h-[30dvh] overflow-y-auto p-1">
        {shown.map((message, index) => (
          <QueueRow
            key={message.id}
            message={message}
            place={index + 1}
            onAct={(action) => onAct(action, message)}
            acting={acting}
            canEdit={canEdit}
          />
        ))}
      </ol>
    </section>
  );
};

type QueueRowProps = Pick<QueueListProps, "acting" | "canEdit"> & {
  message: QueuedMessage;
  place: number;
  onAct: (action: QueueAction) => void;
};

const QueueRow = ({ message, place, onAct, acting, canEdit }: QueueRowProps) => {
  const id = useId();
  const running = acting?.id === message.id ? acting.action : undefined;
  const action = (name: QueueAction, label: string, Icon: typeof Pencil) => (
    <IconButton
      size="sm"
      label={label}
      aria-describedby={id}
      icon={running === name ? <Spinner size={14} /> : <Icon aria-hidden size={14} />}
      disabled={acting !== undefined || (name === "edit" && !canEdit)}
      onClick={() => onAct(name)}
    />
  );
  return (
    <li className="flex min-w-0 items-center gap-2 rounded-md px-2 py-0.5 hover:bg-hover">
      <span aria-hidden className="w-4 shrink-0 text-right text-xs text-muted tabular-nums">
        {place}
      </span>
      <p id={id} className="min-w-0 flex-1 truncate text-sm">
        {firstLine(message)}
      </p>
      <span className="flex shrink-0">
        {action("send-now", "Send now", ArrowUpFromLine)}
        {action("edit", canEdit ? "Edit" : "Edit (the composer is in use)", Pencil)}
        {action("remove", "Remove", Trash2)}
      </span>
    </li>
  );
};

const firstLine = ({ content }: QueuedMessage): string => {
  const text = content.map((part) => part.text).join("\n");
  return text.trim().split("\n")[0] ?? "";
};
