"use client";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useShell } from "@/client/screens/shell/shell-context";
import { useNavigate } from "@/client/use-navigate";
import { PageHeader } from "@/components/ui/page-header";
import { type Page, PageNav } from "@/components/ui/page-nav";

const OWNER_PAGES: readonly Page[] = [
  { href: "/settings/models", label: "Models" },
  { href: "/settings/advisor", label: "Advisor" },
  { href: "/settings/recipes", label: "Recipes" },
  { href: "/settings/groups", label: "Groups" },
  { href: "/settings/agent-types", label: "Agent types" },
  { href: "/settings/mcp", label: "MCP servers" },
];
const PERSONAL_PAGES: readonly Page[] = [
  { href: "/settings/tools", label: "Tools" },
  { href: "/settings/api-keys", label: "API keys" },
  { href: "/settings/appearance", label: "Appearance" },
  { href: "/settings/account", label: "Account" },
];
const ALL_PAGES = [...OWNER_PAGES, ...PERSONAL_PAGES];

/** The frame of the settings pages; it stays when the page changes, so that the link keeps the focus. */
export const SettingsFrame = ({ children }: { children: ReactNode }) => {
  const { user, openSidebar, waitingCount } = useShell();
  const navigate = useNavigate();
  const pathname = usePathname();
  const title = ALL_PAGES.find(({ href }) => href === pathname)?.label ?? "Not found";
  return (
    <>
      <title>{`${title} · Settings · Parley`}</title>
      <PageHeader onOpenSidebar={openSidebar} waitingCount={waitingCount}>
        <h1 className="truncate text-sm font-semibold">
          <span className="font-normal text-muted">Settings / </span>
          {title}
        </h1>
      </PageHeader>
      <PageNav
        label="Settings"
        pages={user.role === "owner" ? ALL_PAGES : PERSONAL_PAGES}
        currentHref={pathname}
        onNavigate={navigate}
      />
      <div className="relative min-h-0 flex-1 overflow-y-auto px-4 py-6 short:flex-none short:overflow-visible">
        <div className="mx-auto w-full max-w-2xl">{children}</div>
      </div>
    </>
  );
};
