import { ArrowUp, Square } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { Spinner } from "@/components/ui/spinner";

type ComposerActionsProps = {
  /** `pending` after a request to stop. */
  stop: "none" | "possible" | "pending";
  onStop: () => void;
  onSend: () => void;
  canSend: boolean;
  isSending: boolean;
  /** Controls next to the Send button. */
  children?: ReactNode;
};

/** Stop comes first: when it appears, what a person may be pressing stays where it is. */
export const ComposerActions = (props: ComposerActionsProps) => {
  const { stop, onStop, onSend, canSend, isSending, children } = props;
  return (
    <div className="flex max-w-full min-w-0 items-center gap-1.5">
      {stop !== "none" && (
        <IconButton
          label={stop === "pending" ? "Stopping" : "Stop"}
          variant="secondary"
          icon={<Square aria-hidden size={14} fill="currentColor" />}
          onClick={onStop}
          disabled={stop === "pending"}
        />
      )}
      {children}
      <IconButton
        label="Send"
        variant="primary"
        icon={isSending ? <Spinner /> : <ArrowUp aria-hidden size={18} />}
        onClick={onSend}
        disabled={!canSend}
      />
    </div>
  );
};
