import type { MouseEvent, ReactNode } from "react";

type NavLinkProps = {
  href: string;
  /** Navigates without a page load. */
  onNavigate: (href: string) => void;
  isCurrent?: boolean;
  className: string;
  children: ReactNode;
};

/** A real link, so that opening in a new tab and copying work; a plain click does not load the page. */
export const NavLink = ({
  href,
  onNavigate,
  isCurrent = false,
  className,
  children,
}: NavLinkProps) => {
  const handleClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onNavigate(href);
  };
  return (
    <a
      href={href}
      onClick={handleClick}
      aria-current={isCurrent ? "page" : undefined}
      className={className}
    >
      {children}
    </a>
  );
};
