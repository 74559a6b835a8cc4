"use client";
import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from "react";

type FindableFoldProps = {
  isFolded: boolean;
  /** The browser's search, or a link to a text, has found something in the folded content. */
  onFound?: (() => void) | undefined;
  children: ReactNode;
};

/** Content that can be folded away, where the browser's own search still finds it. */
export const FindableFold = ({ isFolded, onFound, children }: FindableFoldProps) => {
  const ref = useRef<HTMLDivElement>(null);
  const unfold = useEffectEvent(() => onFound?.());
  // Syncs with an attribute whose value React does not know, and with the search of the browser.
  useLayoutEffect(() => {
    const element = ref.current;
    if (!isFolded || !element) return undefined;
    element.setAttribute("hidden", "until-found");
    const abort = new AbortController();
    element.addEventListener("beforematch", () => unfold(), { signal: abort.signal });
    return () => abort.abort();
  }, [isFolded]);
  return (
    <div ref={ref} hidden={isFolded} className="min-w-0">
      {children}
    </div>
  );
};
