"use client";
import {
  type FocusEvent,
  lazy,
  type PointerEvent,
  type ReactElement,
  Suspense,
  useEffect,
  useState,
} from "react";
import { importPart } from "@/lib/import-part";

/** Shorter visits of the pointer are on the way to something else. */
const HOVER_DELAY_MS = 600;

/** Loads with the first hint, as positions relative to an element need a large library. */
const TooltipPopup = lazy(() => importPart(() => import("./tooltip-popup")));

type TooltipProps = {
  text: string;
  /** One element with an accessible name of its own. */
  children: ReactElement;
};

/** A hint on hover and focus. Touch screens do not show it, so required text must appear elsewhere too. */
export const Tooltip = ({ text, children }: TooltipProps) => {
  const [hovered, setHovered] = useState<Element | null>(null);
  const [anchor, setAnchor] = useState<Element | null>(null);
  // Syncs with a timer.
  useEffect(() => {
    if (hovered === null) return undefined;
    const timer = setTimeout(() => setAnchor(hovered), HOVER_DELAY_MS);
    return () => clearTimeout(timer);
  }, [hovered]);
  const close = (): void => {
    setHovered(null);
    setAnchor(null);
  };
  const onPointerEnter = ({ pointerType, currentTarget }: PointerEvent): void => {
    if (pointerType === "mouse") setHovered(currentTarget.firstElementChild);
  };
  const onFocus = ({ target }: FocusEvent): void => {
    if (target.matches(":focus-visible")) setAnchor(target);
  };
  return (
    <>
      <span
        className="contents"
        onPointerEnter={onPointerEnter}
        onPointerLeave={close}
        onPointerDown={close}
        onFocus={onFocus}
        onBlur={close}
      >
        {children}
      </span>
      {anchor && (
        <Suspense>
          <TooltipPopup text={text} anchor={anchor} onClose={close} />
        </Suspense>
      )}
    </>
  );
};
