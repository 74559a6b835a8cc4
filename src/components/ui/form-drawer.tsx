"use client";
import { X } from "lucide-react";
import { Fragment, type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { Drawer } from "./drawer";
import { IconButton } from "./icon-button";
import { useConfirm } from "./use-confirm";

/** What a form in a drawer calls. */
export type DrawerForm = {
  /** Closes the drawer; asks first if something was changed. */
  onCancel: () => void;
  /** Must be called when something is changed. */
  onEdit: () => void;
};

type FormDrawerProps = {
  open: boolean;
  title: string;
  /** Closes the drawer. */
  onClose: () => void;
  children: (form: DrawerForm) => ReactNode;
};

/** A form beside the page that it belongs to. What was changed is discarded only after a question. */
export const FormDrawer = ({ open, title, onClose, children }: FormDrawerProps) => {
  const [dialog, ask] = useConfirm();
  const [isEdited, setEdited] = useState(false);
  const [wasOpen, setWasOpen] = useState(open);
  /** Counts the forms that were opened, each of which begins anew, also before the last one has faded out. */
  const [opening, setOpening] = useState(0);
  if (wasOpen !== open) {
    setWasOpen(open);
    setEdited(false);
    if (open) setOpening(opening + 1);
  }
  const requestClose = (): void => (isEdited ? ask(DISCARD, onClose) : onClose());
  useLeaveWarning(open && isEdited, requestClose);
  return (
    <Drawer
      open={open}
      onOpenChange={(next) => {
        if (!next) requestClose();
      }}
      title={title}
      side="right"
    >
      <div className="flex shrink-0 items-center justify-between gap-2 border-b py-2 pr-2 pl-4">
        {/* The dialog is named by its title already. */}
        <p aria-hidden className="min-w-0 text-base font-semibold wrap-anywhere">
          {title}
        </p>
        <IconButton label="Close" icon={<X aria-hidden size={18} />} onClick={requestClose} />
      </div>
      <div className="min-h-0 flex-1 scroll-pb-20 overflow-y-auto px-4 pt-4 short:flex-none short:overflow-visible">
        <Fragment key={opening}>
          {children({ onCancel: requestClose, onEdit: () => setEdited(true) })}
        </Fragment>
      </div>
      {dialog}
    </Drawer>
  );
};

const DISCARD = {
  title: "Discard your changes?",
  message: "What you have entered is not saved.",
  confirmLabel: "Discard",
  dismissLabel: "Keep editing",
};

/** Lets the browser ask before the page is closed or loaded again, and calls `onBack` instead of going back or forward. */
const useLeaveWarning = (isNeeded: boolean, onBack: () => void): void => {
  const askFirst = useEffectEvent(onBack);
  useEffect(() => {
    if (!isNeeded) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    window.addEventListener("beforeunload", (event) => event.preventDefault(), { signal });
    // Older browsers lack it, and a browser lets the second Back in a row pass.
    const navigation: Navigation | undefined = window.navigation;
    navigation?.addEventListener(
      "navigate",
      (event) => {
        if (event.navigationType !== "traverse" || !event.cancelable) return;
        event.preventDefault();
        askFirst();
      },
      { signal },
    );
    return () => abort.abort();
  }, [isNeeded]);
};
