"use client";
import { usePathname } from "next/navigation";
import { type ReactNode, useContext } from "react";
import { ShellContext } from "@/client/screens/shell/shell-context";
import { forgetFreshKey, useFreshKey } from "@/client/fresh-key";
import { useNavigate } from "@/client/use-navigate";
import { KeyNotice } from "@/components/docs/key-notice";
import { PageHeader } from "@/components/ui/page-header";
import { type Page, PageNav } from "@/components/ui/page-nav";

const OVERVIEW: Page = { href: "/docs", label: "Overview" };

/** The frame of the pages of the API reference; it stays when the page changes. */
export const DocsFrame = ({ pages, children }: { pages: Page[]; children: ReactNode }) => {
  // A visitor who has not signed in has none.
  const shell = useContext(ShellContext);
  const navigate = useNavigate();
  const pathname = usePathname();
  const freshKey = useFreshKey();
  const allPages = [OVERVIEW, ...pages];
  const title = allPages.find(({ href }) => href === pathname)?.label ?? pathname.split("/").at(-1);
  return (
    <>
      <title>{`${title} · API reference · Parley`}</title>
      {shell ? (
        <PageHeader onOpenSidebar={shell.openSidebar} waitingCount={shell.waitingCount}>
          <Title>{title}</Title>
        </PageHeader>
      ) : (
        <VisitorHeader returnPath={pathname}>
          <Title>{title}</Title>
        </VisitorHeader>
      )}
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
            // Pages with the chat list have another frame, which a visitor's page has to be loaded with.
            onNavigate={shell ? navigate : (href) => window.location.assign(href)}
          />
          {children}
        </div>
      </div>
    </>
  );
};

const Title = ({ children }: { children: ReactNode }) => (
  <h1 className="min-w-0 flex-1 truncate text-sm font-semibold">
    <span className="font-normal text-muted">API reference / </span>
    {children}
  </h1>
);

/** As `PageHeader`, without a chat list. */
const VisitorHeader = ({ returnPath, children }: { returnPath: string; children: ReactNode }) => (
  <header className="flex h-13 shrink-0 items-center gap-4 border-b px-4">
    {children}
    <a
      href={`/login?next=${encodeURIComponent(returnPath)}`}
      className="shrink-0 font-medium text-accent underline underline-offset-2"
    >
      Sign in
    </a>
  </header>
);
