import { ArrowUp, Square } from "lucide-react";
import { IconButton } from "@/components/ui/icon-button";
import { Spinner } from "@/components/ui/spinner";

type ComposerActionsProps = {
  /** `pending` after a request to stop. */
  stop: "none" | "possible" | "pending";
  onStop: () => void;
  onSend: () => void;
  canSend: boolean;
  isSending: boolean;
};

export const ComposerActions = (props: ComposerActionsProps) => {
  const { stop, onStop, onSend, canSend, isSending } = props;
  return (
    <div className="flex shrink-0 gap-1.5">
      {stop !== "none" && (
        <IconButton
          label={stop === "pending" ? "Stopping" : "Stop"}
          variant="secondary"
          icon={<Square aria-hidden size={14} fill="currentColor" />}
          onClick={onStop}
          disabled={stop === "pending"}
        />
      )}
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
