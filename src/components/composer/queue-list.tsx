import { ArrowUpFromLine, CornerDownRight, Pencil, Play, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import type { QueuedMessage } from "@/contract/message";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { Spinner } from "@/components/ui/spinner";

/** Messages shown while the list is collapsed, so that a long queue does not hide the chat. */
const MAX_COLLAPSED = 3;

export type QueueAction = "send-now" | "steer" | "edit" | "remove";

type QueueListProps = {
  /** In the order in which they are sent. */
  messages: readonly QueuedMessage[];
  onAction: (action: QueueAction, message: QueuedMessage) => void;
  /** The running action; only one can run at a time. */
  pendingAction?: { id: string; action: QueueAction } | undefined;
  /** True after a stop: nothing is sent until the person sends a message. */
  isPaused: boolean;
  onSendNext: () => void;
  /** False while the composer has a text that an edit would replace. */
  canEdit: boolean;
  /** Whether a turn is under way that a message can enter. */
  canSteer: boolean;
};

/** The queued messages of a chat. */
const QueueList = (props: QueueListProps) => {
  const { messages, onAction, pendingAction, isPaused, canEdit, canSteer } = props;
  const id = useId();
  const [isExpanded, setOpen] = useState(false);
  const visible = isExpanded ? messages : messages.slice(0, MAX_COLLAPSED);
  const hiddenCount = messages.length - MAX_COLLAPSED;
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-xl border bg-surface">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 pt-2">
        <h2 id={id} className="text-xs font-medium text-muted">
          {messages.length === 1 ? "1 message waits" : `${messages.length} messages wait`}
          {isPaused && ". The queue is paused."}
        </h2>
        {isPaused && (
          <Button
            size="sm"
            isBusy={pendingAction?.action === "send-now"}
            disabled={pendingAction?.action === "remove"}
            onClick={props.onSendNext}
            icon={<Play aria-hidden size={13} />}
          >
            Send next
          </Button>
        )}
        {hiddenCount > 0 && (
          <button
            type="button"
            aria-expanded={isExpanded}
            onClick={() => setOpen(!isExpanded)}
            className="rounded-sm text-xs font-medium text-accent underline-offset-2 hover:underline pointer-coarse:py-1.5"
          >
            {isExpanded ? "Show fewer" : `Show ${hiddenCount} more`}
          </button>
        )}
      </div>
      <ol className="max-h-[30dvh] overflow-y-auto p-1">
        {visible.map((message, index) => (
          <QueueRow
            key={message.id}
            message={message}
            position={index + 1}
            onAction={(action) => onAction(action, message)}
            pendingAction={pendingAction}
            canEdit={canEdit}
            canSteer={canSteer}
          />
        ))}
      </ol>
    </section>
  );
};
export default QueueList;

type QueueRowProps = Pick<QueueListProps, "canEdit" | "canSteer" | "pendingAction"> & {
  message: QueuedMessage;
  position: number;
  onAction: (action: QueueAction) => void;
};

const QueueRow = (props: QueueRowProps) => {
  const { message, position, onAction, pendingAction, canEdit, canSteer } = props;
  const id = useId();
  const runningAction = pendingAction?.id === message.id ? pendingAction.action : undefined;
  const action = (name: QueueAction, label: string, Icon: typeof Pencil) => (
    <IconButton
      size="sm"
      label={label}
      aria-describedby={id}
      icon={runningAction === name ? <Spinner size={14} /> : <Icon aria-hidden size={14} />}
      disabled={pendingAction !== undefined || (name === "edit" && !canEdit)}
      onClick={() => onAction(name)}
    />
  );
  return (
    <li className="flex min-w-0 items-center gap-2 rounded-md px-2 py-0.5 hover:bg-hover">
      <span aria-hidden className="w-4 shrink-0 text-right text-xs text-muted tabular-nums">
        {position}
      </span>
      <p id={id} className="min-w-0 flex-1 truncate text-sm">
        {getFirstLine(message)}
      </p>
      {message.steers && <span className="shrink-0 text-xs text-muted">with the next step</span>}
      <span className="flex shrink-0">
        {canSteer && !message.steers && action("steer", "Add to this answer", CornerDownRight)}
        {action("send-now", "Send now", ArrowUpFromLine)}
        {action("edit", canEdit ? "Edit" : "Edit (the composer is in use)", Pencil)}
        {action("remove", "Remove", Trash2)}
      </span>
    </li>
  );
};

const getFirstLine = ({ content }: QueuedMessage): string => {
  const lines = content.map((part) =>
    part.type === "text" ? (part.text.trim().split("\n")[0] ?? "") : part.name,
  );
  return lines.join(" · ");
};
