import { clsx } from "clsx";
import type { ComponentProps } from "react";

/**
 * The main area of a page. It is invisible until the browser has all of it, because what is centered or shown from its
 * end would move with each part of the document that arrives.
 */
export const MainArea = ({ className, children, ...main }: ComponentProps<"main">) => (
  <main {...main} className={clsx("not-has-[>[data-main-end]]:invisible", className)}>
    {children}
    <span hidden data-main-end />
  </main>
);
