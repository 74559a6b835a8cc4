import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement } from "react";

type TooltipProps = {
  text: string;
  /** One element that accepts a ref and props and has its own accessible name. */
  children: ReactElement;
};

/** A hint on hover and focus. Touch screens do not show it, so required text must appear elsewhere too. */
export const Tooltip = ({ text, children }: TooltipProps) => (
  <Base.Root>
    <Base.Trigger render={children} />
    <Base.Portal>
      <Base.Positioner sideOffset={6} className="z-50">
        <Base.Popup className="max-w-64 rounded-sm bg-text px-2 py-1 text-xs text-bg">
          {text}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
