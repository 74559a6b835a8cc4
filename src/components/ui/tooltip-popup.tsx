"use client";
import { Tooltip as Base } from "@base-ui/react/tooltip";

type TooltipPopupProps = { text: string; anchor: Element; onClose: () => void };

const TooltipPopup = ({ text, anchor, onClose }: TooltipPopupProps) => (
  <Base.Root open onOpenChange={(open) => !open && onClose()}>
    <Base.Portal>
      <Base.Positioner anchor={anchor} sideOffset={6} className="z-50">
        <Base.Popup className="max-w-64 rounded-sm bg-text px-2 py-1 text-xs text-bg">
          {text}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
export default TooltipPopup;
