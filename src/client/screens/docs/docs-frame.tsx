"use client";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useShell } from "@/client/screens/shell/shell-context";
import { forgetFreshKey, useFreshKey } from "@/client/fresh-key";
import { useNavigate } from "@/client/use-navigate";
import { KeyNotice } from "@/components/docs/key-notice";
import { PageHeader } from "@/components/ui/page-header";
import { type Page, PageNav } from "@/components/ui/page-nav";

const OVERVIEW: Page = { href: "/docs", label: "Overview" };

/** The frame of the pages of the API reference; it stays when the page changes. */
export const DocsFrame = ({ pages, children }: { pages: Page[]; children: ReactNode }) => {
  const { openSidebar, waitingCount } = useShell();
  const navigate = useNavigate();
  const pathname = usePathname();
  const freshKey = useFreshKey();
  const allPages = [OVERVIEW, ...pages];
  const title = allPages.find(({ href }) => href === pathname)?.label ?? pathname.split("/").at(-1);
  return (
    <>
      <title>{`${title} · API reference · Parley`}</title>
      <PageHeader onOpenSidebar={openSidebar} waitingCount={waitingCount}>
        <h1 className="truncate text-sm font-semibold">
          <span className="font-normal text-muted">API reference / </span>
          {title}
        </h1>
      </PageHeader>
      <PageNav
        label="API reference"
        pages={allPages}
        currentHref={pathname}
        onNavigate={navigate}
      />
      <div className="relative min-h-0 flex-1 overflow-y-auto px-4 py-6 short:flex-none short:overflow-visible">
        <div className="mx-auto grid w-full max-w-3xl gap-8">
          <KeyNotice
            keyName={freshKey?.name}
            onForget={() => forgetFreshKey()}
            onNavigate={navigate}
          />
          {children}
        </div>
      </div>
    </>
  );
};
