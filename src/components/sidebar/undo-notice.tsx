import { Undo2 } from "lucide-react";
import { Button } from "@/components/ui/button";

export type UndoNoticeProps = {
  /** What was done last; undefined when it can no longer be undone. */
  lastAction: { message: string; chatTitle: string; undo: () => void } | undefined;
};

/** Says what was done last and offers to undo it; the live region stays, so that its text is announced. */
export const UndoNotice = ({ lastAction }: UndoNoticeProps) => (
  <div role="status" className="px-2">
    {lastAction && (
      <div className="mb-2 flex items-center gap-2 rounded-md border bg-raised py-1.5 pr-1.5 pl-3 shadow-popup">
        <span className="min-w-0 flex-1 text-xs">
          {lastAction.message}{" "}
          <span className="block truncate text-muted">{lastAction.chatTitle}</span>
        </span>
        <Button
          size="sm"
          variant="ghost"
          icon={<Undo2 aria-hidden size={14} />}
          onClick={lastAction.undo}
        >
          Undo
        </Button>
      </div>
    )}
  </div>
);
