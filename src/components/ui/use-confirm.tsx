import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "./confirm-dialog";
import type { ConfirmDialogProps } from "./open-confirm-dialog";

/** A question before something happens that the person may not mean. */
export type Question = Omit<ConfirmDialogProps, "open" | "onOpenChange" | "onConfirm">;

/**
 * Asks questions in a dialog.
 *
 * @returns the dialog to render, and a function that asks and calls `onConfirm` only if the person confirms.
 */
export const useConfirm = (): [ReactNode, (question: Question, onConfirm: () => void) => void] => {
  const [pending, setPending] = useState<{ question: Question; onConfirm: () => void }>();
  const [isOpen, setOpen] = useState(false);
  const ask = (question: Question, onConfirm: () => void): void => {
    setPending({ question, onConfirm });
    setOpen(true);
  };
  // The question stays while the dialog fades out.
  const dialog = pending && (
    <ConfirmDialog
      {...pending.question}
      open={isOpen}
      onOpenChange={setOpen}
      onConfirm={pending.onConfirm}
    />
  );
  return [dialog, ask];
};
