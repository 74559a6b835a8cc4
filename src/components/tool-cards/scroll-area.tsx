import type { ReactNode, Ref } from "react";

type ScrollAreaProps = {
  /** What is in it, for those who reach it by keyboard. */
  label: string;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
};

/** Text of any length in a place of its own that scrolls, also by keyboard. */
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
