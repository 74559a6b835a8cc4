import { clsx } from "clsx";
import { useEffect, useRef } from "react";
import { NavLink } from "./nav-link";

export type Page = { href: string; label: string };

type PageNavProps = {
  /** What the pages belong to, such as “Settings”. */
  label: string;
  pages: readonly Page[];
  currentHref: string;
  onNavigate: (href: string) => void;
};

/** The links between pages that belong together. */
export const PageNav = ({ label, pages, currentHref, onNavigate }: PageNavProps) => {
  const nav = useRef<HTMLElement>(null);
  // Syncs with the scroll position of the browser: on a phone, the current page may be out of view.
  useEffect(() => {
    nav.current
      ?.querySelector("[aria-current]")
      ?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [currentHref]);
  return (
    <nav
      data-screen-only
      ref={nav}
      aria-label={label}
      className="shrink-0 overflow-x-auto border-b px-2 md:px-1.5"
    >
      <ul className="flex gap-1">
        {pages.map(({ href, label }) => (
          <li key={href} className="shrink-0">
            <NavLink
              href={href}
              onNavigate={onNavigate}
              isCurrent={href === currentHref}
              className={clsx(
                "flex h-10 items-center border-b-2 px-2 -outline-offset-2 transition-colors pointer-coarse:h-11",
                href === currentHref
                  ? "border-accent font-medium"
                  : "border-transparent text-muted hover:text-text",
              )}
            >
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
};
