"use client";
import { usePathname, useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { useShell } from "@/app/(app)/shell-context";
import { SettingsNav, type SettingsPage } from "@/components/settings/settings-nav";
import { PageHeader } from "@/components/ui/page-header";

const OWNER_PAGES: readonly SettingsPage[] = [{ href: "/settings/advisor", label: "Advisor" }];
const PERSONAL_PAGES: readonly SettingsPage[] = [
  { href: "/settings/api-keys", label: "API keys" },
  { href: "/settings/account", label: "Account" },
];
const ALL_PAGES = [...OWNER_PAGES, ...PERSONAL_PAGES];

/** The frame of the settings pages; it stays when the page changes, so that the link keeps the focus. */
const SettingsLayout = ({ children }: { children: ReactNode }) => {
  const { user, openSidebar } = useShell();
  const router = useRouter();
  const pathname = usePathname();
  const title = ALL_PAGES.find(({ href }) => href === pathname)?.label ?? "";
  return (
    <>
      <title>{`${title} · Settings · Parley`}</title>
      <PageHeader onOpenSidebar={openSidebar}>
        <h1 className="truncate text-sm font-semibold">
          <span className="font-normal text-muted">Settings / </span>
          {title}
        </h1>
      </PageHeader>
      <SettingsNav
        pages={user.role === "owner" ? ALL_PAGES : PERSONAL_PAGES}
        currentHref={pathname}
        onNavigate={(href) => router.push(href)}
      />
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-6">
        <div className="mx-auto w-full max-w-2xl">{children}</div>
      </div>
    </>
  );
};
export default SettingsLayout;
