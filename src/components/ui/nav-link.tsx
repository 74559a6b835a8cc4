import type { MouseEvent, ReactNode } from "react";

type NavLinkProps = {
  href: string;
  /** Navigates without a page load; absent where the page cannot. */
  onNavigate?: ((href: string) => void) | undefined;
  isCurrent?: boolean;
  /** Keys that work while it has the focus, as `aria-keyshortcuts` names them. */
  keyShortcuts?: string;
  className: string;
  children: ReactNode;
};

/** A real link, so that opening in a new tab and copying work; a plain click does not load the page. */
export const NavLink = ({
  href,
  onNavigate,
  isCurrent = false,
  keyShortcuts,
  className,
  children,
}: NavLinkProps) => {
  const handleClick = (event: MouseEvent) => {
    if (onNavigate === undefined) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onNavigate(href);
  };
  return (
    <a
      href={href}
      onClick={handleClick}
      aria-current={isCurrent ? "page" : undefined}
      aria-keyshortcuts={keyShortcuts}
      className={className}
    >
      {children}
    </a>
  );
};
