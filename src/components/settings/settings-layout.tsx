"use client";
import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import { NavLink } from "@/components/ui/nav-link";
import { type ChatListButtonProps, PageHeader } from "@/components/ui/page-header";
import type { SettingsGroup } from "./settings-pages";

type SettingsLayoutProps = ChatListButtonProps & {
  groups: readonly SettingsGroup[];
  currentHref: string;
  onNavigate: (href: string) => void;
  children: ReactNode;
};

/**
 * A page of the settings beside the list of all pages. Where the page is too narrow for both, a button in its header
 * shows the list.
 */
export const SettingsLayout = (props: SettingsLayoutProps) => {
  const { groups, currentHref, onNavigate, children, ...header } = props;
  const listId = useId();
  const button = useRef<HTMLButtonElement>(null);
  /** The address at which the list was opened: it is closed on every other page. */
  const [openHref, setOpenHref] = useState<string>();
  const isOpen = openHref === currentHref;
  return (
    <div className="@container flex min-h-0 flex-1 flex-col short:flex-none">
      <PageHeader {...header}>
        <p className="text-sm font-semibold @max-2xl:hidden">Settings</p>
        <button
          ref={button}
          type="button"
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setOpenHref(isOpen ? undefined : currentHref)}
          className="flex h-9 items-center gap-1.5 rounded-md px-2 text-sm font-semibold transition-colors hover:bg-hover @2xl:hidden pointer-coarse:h-11"
        >
          Settings
          <ChevronDown
            aria-hidden
            size={16}
            className={clsx("text-muted transition-transform", isOpen && "rotate-180")}
          />
        </button>
      </PageHeader>
      <div className="flex min-h-0 flex-1 flex-col @2xl:flex-row short:flex-none">
        <nav
          data-screen-only
          id={listId}
          aria-label="Settings"
          className={clsx(
            "max-h-full min-h-0 overflow-y-auto p-2 @max-2xl:border-b @2xl:w-48 @2xl:shrink-0 @2xl:border-r @2xl:p-3 short:max-h-none short:overflow-visible",
            !isOpen && "@max-2xl:hidden",
          )}
        >
          <ul className="grid gap-4">
            {groups.map((group) => (
              <PageGroup
                key={group.label}
                {...group}
                currentHref={currentHref}
                onNavigate={(href) => {
                  // On a narrow page, the link is hidden with the list.
                  if (isOpen) button.current?.focus();
                  setOpenHref(undefined);
                  onNavigate(href);
                }}
              />
            ))}
          </ul>
        </nav>
        <div className="relative min-h-0 flex-1 scroll-pb-20 overflow-y-auto px-4 @2xl:px-6 short:flex-none short:overflow-visible">
          <div className="mx-auto w-full max-w-2xl py-6">{children}</div>
        </div>
      </div>
    </div>
  );
};

type PageGroupProps = SettingsGroup & Pick<SettingsLayoutProps, "currentHref" | "onNavigate">;

const PageGroup = ({ label, pages, currentHref, onNavigate }: PageGroupProps) => {
  const id = useId();
  return (
    <li>
      <p id={id} className="px-2 pb-1 text-xs font-medium text-muted">
        {label}
      </p>
      <ul aria-labelledby={id} className="grid gap-0.5">
        {pages.map((page) => (
          <li key={page.href}>
            <NavLink
              href={page.href}
              onNavigate={onNavigate}
              isCurrent={page.href === currentHref}
              className={clsx(
                "flex h-8 items-center rounded-md px-2 transition-colors pointer-coarse:h-11",
                page.href === currentHref
                  ? "bg-accent-soft font-medium text-accent-strong"
                  : "hover:bg-hover",
              )}
            >
              {page.label}
            </NavLink>
          </li>
        ))}
      </ul>
    </li>
  );
};
