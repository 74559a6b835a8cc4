"use client";
import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";

export type DrawerProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Accessible name of the dialog; the content has its own visible heading. */
  title: string;
  children: ReactNode;
};

const OpenDrawer = ({ open, onOpenChange, title, children }: DrawerProps) => (
  <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
    <Base.Portal>
      <Base.Backdrop className="fixed inset-0 z-30 bg-scrim transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0" />
      <Base.Popup className="fixed inset-y-0 left-0 z-30 flex w-[min(20rem,calc(100vw-3rem))] flex-col border-r bg-surface transition-transform duration-200 outline-none data-ending-style:-translate-x-full data-starting-style:-translate-x-full short:overflow-y-auto">
        <Base.Title className="sr-only">{title}</Base.Title>
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);
export default OpenDrawer;
