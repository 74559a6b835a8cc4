import { clsx } from "clsx";
import {
  type KeyboardEventHandler,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from "react";

export type ModalHandle = {
  /** Closes it and gives the focus back to where it was, before this returns. */
  close: () => void;
};

type ModalProps = {
  label: string;
  /** How much it takes of the window: what its content needs, or all of it. */
  fit?: keyof typeof FIT;
  ref?: Ref<ModalHandle>;
  onClose: () => void;
  onKeyDown?: KeyboardEventHandler;
  children: ReactNode;
};

const FIT = {
  content:
    "mx-auto mt-[12dvh] max-h-[76dvh] w-[calc(100vw-1.5rem)] max-w-xl rounded-xl border border-border shadow-popup max-sm:mt-3 max-sm:max-h-[calc(100dvh-1.5rem)] short:mt-3 short:max-h-[calc(100dvh-1.5rem)]",
  window: "m-0 h-dvh max-h-none w-dvw max-w-none",
};

/**
 * A dialog of the browser's own, open while it is rendered: it needs no library, and its focus moves when it opens and
 * closes and at no other time (ADR 0113). Its first control has the focus.
 */
export const Modal = ({
  label,
  fit = "content",
  ref,
  onClose,
  onKeyDown,
  children,
}: ModalProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useImperativeHandle(ref, () => ({ close: () => dialog.current?.close() }), []);
  // Syncs with the browser's dialogs.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element && !element.open) element.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      // The event comes later: by then, it may be open again.
      onClose={({ currentTarget }) => !currentTarget.open && onClose()}
      onKeyDown={onKeyDown}
      // What is in the dialog covers it, so that only a click beside it has it as the target.
      onClick={({ target, currentTarget }) => target === currentTarget && currentTarget.close()}
      className={clsx(
        "overflow-hidden bg-raised p-0 text-text backdrop:bg-scrim open:flex",
        FIT[fit],
      )}
    >
      {children}
    </dialog>
  );
};
