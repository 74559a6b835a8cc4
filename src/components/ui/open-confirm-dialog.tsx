"use client";
import { AlertDialog as Base } from "@base-ui/react/alert-dialog";
import { Button } from "./button";

export type ConfirmDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What will happen, and whether it can be undone. */
  message: string;
  /** Label of the confirming button, such as "Delete chat". */
  confirmLabel: string;
  dismissLabel?: string;
  isDestructive?: boolean;
  onConfirm: () => void;
};

const OpenConfirmDialog = ({
  open,
  onOpenChange,
  title,
  message,
  confirmLabel,
  dismissLabel = "Cancel",
  isDestructive = true,
  onConfirm,
}: ConfirmDialogProps) => (
  <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
    <Base.Portal>
      <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
      <Base.Popup className="fixed top-1/2 left-1/2 z-40 max-h-[calc(100dvh-1rem)] w-[calc(100vw-2rem)] max-w-sm -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-xl border border-border bg-raised p-6 shadow-popup transition-opacity duration-150 outline-none data-ending-style:opacity-0 data-starting-style:opacity-0">
        <Base.Title className="text-base font-semibold break-words">{title}</Base.Title>
        <Base.Description className="mt-1.5 text-sm break-words text-muted">
          {message}
        </Base.Description>
        <div className="mt-6 flex flex-wrap justify-end gap-2">
          <Base.Close render={<Button>{dismissLabel}</Button>} />
          <Base.Close
            render={
              <Button variant={isDestructive ? "danger" : "primary"} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            }
          />
        </div>
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);
export default OpenConfirmDialog;
