"use client";
import { Dialog as Base } from "@base-ui/react/dialog";
import { clsx } from "clsx";
import { type ReactNode, useLayoutEffect, useRef } from "react";

export type DrawerProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Accessible name of the dialog; the content has its own visible heading. */
  title: string;
  /** A drawer at the left is for small screens; one at the right has room for a form. */
  side?: "left" | "right";
  children: ReactNode;
};

const SIDE = {
  left: "left-0 w-[min(20rem,calc(100vw-3rem))] border-r data-ending-style:-translate-x-full data-starting-style:-translate-x-full",
  right:
    "right-0 w-[min(36rem,100vw)] border-l data-ending-style:translate-x-full data-starting-style:translate-x-full",
};

const OpenDrawer = ({ open, onOpenChange, title, side = "left", children }: DrawerProps) => {
  const popup = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLElement>(null);
  // Syncs with the focus of the browser, before a field of the content takes it: it returns there.
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (open && activeElement instanceof HTMLElement) opener.current = activeElement;
  }, [open]);
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-30 bg-scrim transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          ref={popup}
          finalFocus={opener}
          // A form gives the focus to the field that it begins with, if any.
          initialFocus={side === "right" ? popup : true}
          className={clsx(
            "fixed inset-y-0 z-30 flex flex-col bg-surface transition-transform duration-200 outline-none short:overflow-y-auto",
            SIDE[side],
          )}
        >
          <Base.Title className="sr-only">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
};
export default OpenDrawer;
