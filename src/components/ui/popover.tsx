import { Popover as Base } from "@base-ui/react/popover";
import type { ReactElement, ReactNode } from "react";

type PopoverProps = {
  /** A button with an accessible name. */
  trigger: ReactElement;
  title: string;
  children: ReactNode;
};

/** Details that open from a button. */
export const Popover = ({ trigger, title, children }: PopoverProps) => (
  <Base.Root>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner align="end" sideOffset={6} className="z-50">
        <Base.Popup className="w-72 max-w-[calc(100vw-1rem)] rounded-lg border border-border bg-raised p-4 text-sm text-text shadow-popup outline-none">
          <Base.Title className="mb-2 font-semibold">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
