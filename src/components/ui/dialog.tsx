import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "./icon-button";

type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons at the lower right, the main one last. */
  actions?: ReactNode;
};

/** Takes the focus, holds it, and gives it back; Escape and a press outside close it. */
export const Dialog = ({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
}: DialogProps) => (
  <Base.Root open={open} onOpenChange={onOpenChange}>
    <Base.Portal>
      <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
      <Base.Popup className="fixed top-1/2 left-1/2 z-40 flex max-h-[85dvh] w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 flex-col rounded-xl border border-border bg-raised shadow-popup transition-opacity duration-150 outline-none data-ending-style:opacity-0 data-starting-style:opacity-0">
        <header className="flex items-start justify-between gap-4 px-5 pt-4">
          <Base.Title className="pt-1 text-base font-semibold">{title}</Base.Title>
          <Base.Close
            render={<IconButton label="Close" size="sm" icon={<X aria-hidden size={16} />} />}
          />
        </header>
        <div className="flex min-h-0 flex-col gap-4 overflow-y-auto px-5 pt-1 pb-5">
          {description !== undefined && (
            <Base.Description className="text-sm text-muted">{description}</Base.Description>
          )}
          {children}
        </div>
        {actions !== undefined && (
          <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-3">{actions}</footer>
        )}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);
