"use client";
import { Popover as Base } from "@base-ui/react/popover";
import type { ReactElement, ReactNode } from "react";
import type { OpenedPopup } from "./popup-trigger";

export type PopoverProps = {
  /** A button with an accessible name. */
  trigger: ReactElement;
  title: string;
  children: ReactNode;
  onOpenChange?: (open: boolean) => void;
};

/** Details that are open at first, and their button. */
const OpenPopover = (props: PopoverProps & OpenedPopup) => {
  const { trigger, title, children, onOpenChange } = props;
  const { buttonRef, popupRef, findFinalFocus } = props;
  return (
    <Base.Root
      defaultOpen
      {...(onOpenChange && { onOpenChange: (open: boolean) => onOpenChange(open) })}
    >
      <Base.Trigger ref={buttonRef} render={trigger} />
      <Base.Portal>
        <Base.Positioner align="end" sideOffset={6} className="z-50">
          <Base.Popup
            ref={popupRef}
            finalFocus={findFinalFocus}
            className="max-h-(--available-height) w-72 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg border border-border bg-raised p-4 text-sm text-text shadow-popup outline-none"
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
