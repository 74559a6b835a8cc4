import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";

type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons at the lower right, the primary one last. */
  actions?: ReactNode;
};

/** A modal dialog that traps the focus and restores it; Escape and a press outside close it. */
export const Dialog = ({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
}: DialogProps) => (
  <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
    <Base.Portal>
      <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
      <Base.Popup className="fixed top-1/2 left-1/2 z-40 flex max-h-[85dvh] w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 flex-col rounded-xl border border-border bg-raised shadow-popup transition-opacity duration-150 outline-none data-ending-style:opacity-0 data-starting-style:opacity-0">
        <Base.Title className="py-4 pr-12 pl-5 text-base font-semibold">{title}</Base.Title>
        <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pb-5">
          {description !== undefined && (
            <Base.Description className="text-sm text-muted">{description}</Base.Description>
          )}
          {children}
        </div>
        {actions !== undefined && (
          <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">{actions}</footer>
        )}
        {/* Last, so that the content gets the initial focus. */}
        <Base.Close
          aria-label="Close"
          className="absolute top-3.5 right-3.5 grid size-8 place-items-center rounded-sm text-muted transition-colors hover:bg-hover hover:text-text"
        >
          <X aria-hidden size={16} />
        </Base.Close>
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);
