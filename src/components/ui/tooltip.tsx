import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement } from "react";

type TooltipProps = {
  text: string;
  /** One element that takes a ref and props; it must have an accessible name of its own. */
  children: ReactElement;
};

/** A hint on hover and focus; never the only place where something is said. */
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
