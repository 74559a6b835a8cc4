"use client";
import { Popover as Base } from "@base-ui/react/popover";
import { type ReactElement, type ReactNode, useRef } from "react";

export type PopoverProps = {
  /** A button with an accessible name. */
  trigger: ReactElement;
  title: string;
  children: ReactNode;
};

/** Details that are open at first, and their button. */
const OpenPopover = ({ trigger, title, children }: PopoverProps) => {
  // The button that opened it first is no longer on the page.
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Base.Root defaultOpen>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal>
        <Base.Positioner align="end" sideOffset={6} className="z-50">
          <Base.Popup
            finalFocus={button}
            className="w-72 max-w-[calc(100vw-1rem)] rounded-lg border border-border bg-raised p-4 text-sm text-text shadow-popup outline-none"
          >
            <Base.Title className="mb-2 font-semibold">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
};

export default OpenPopover;
