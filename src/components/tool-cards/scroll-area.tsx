import type { ReactNode, Ref } from "react";

type ScrollAreaProps = {
  /** The accessible name; keyboard users reach the area by Tab. */
  label: string;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
};

/** An area of limited height that scrolls, also by keyboard. */
export const ScrollArea = ({ label, ref, children }: ScrollAreaProps) => (
  <div
    ref={ref}
    role="group"
    aria-label={label}
    tabIndex={0}
    className="max-h-64 min-w-0 overflow-y-auto -outline-offset-2"
  >
    {children}
  </div>
);
