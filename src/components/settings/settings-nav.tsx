import { clsx } from "clsx";
import { NavLink } from "@/components/ui/nav-link";

export type SettingsPage = { href: string; label: string };

type SettingsNavProps = {
  pages: readonly SettingsPage[];
  currentHref: string;
  onNavigate: (href: string) => void;
};

/** The links between the settings pages. */
export const SettingsNav = ({ pages, currentHref, onNavigate }: SettingsNavProps) => (
  <nav aria-label="Settings" className="shrink-0 overflow-x-auto border-b px-2 md:px-1.5">
    <ul className="flex gap-1">
      {pages.map(({ href, label }) => (
        <li key={href} className="shrink-0">
          <NavLink
            href={href}
            onNavigate={onNavigate}
            isCurrent={href === currentHref}
            className={clsx(
              "flex h-10 items-center border-b-2 px-2.5 -outline-offset-2 transition-colors pointer-coarse:h-11",
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
