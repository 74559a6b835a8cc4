import type { MouseEvent, ReactNode } from "react";

type NavLinkProps = {
  href: string;
  /** Goes there without loading the page anew. */
  onNavigate: (href: string) => void;
  current?: boolean;
  look: string;
  children: ReactNode;
};

/** A real link, so that a new tab, a middle click and copying work; a plain press stays in the page. */
export const NavLink = ({ href, onNavigate, current = false, look, children }: NavLinkProps) => {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onNavigate(href);
  };
  return (
    <a href={href} onClick={follow} aria-current={current ? "page" : undefined} className={look}>
      {children}
    </a>
  );
};
