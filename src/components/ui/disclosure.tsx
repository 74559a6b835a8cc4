"use client";
import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useIsPrinting } from "./use-is-printing";

type DisclosureProps = {
  summary: ReactNode;
  /** Rendered only while open. */
  children: ReactNode;
  defaultOpen?: boolean;
  /** Called when a person opens it. */
  onOpen?: (() => void) | undefined;
};

/** A summary line that shows and hides its content. */
export const Disclosure = ({ summary, children, defaultOpen = false, onOpen }: DisclosureProps) => {
  const [isOpened, setOpened] = useState(defaultOpen);
  const open = useIsPrinting() || isOpened;
  const id = useId();
  return (
    <div className="min-w-0">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => {
          if (!open) onOpen?.();
          setOpened(!open);
        }}
        className="flex max-w-full items-center gap-1.5 rounded-sm py-0.5 text-left text-sm text-muted transition-colors hover:text-text pointer-coarse:py-2"
      >
        <ChevronRight
          aria-hidden
          size={14}
          className={clsx("shrink-0 transition-transform", open && "rotate-90")}
        />
        {summary}
      </button>
      {open && (
        <div id={id} className="pt-1.5">
          {children}
        </div>
      )}
    </div>
  );
};
