"use client";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useShell } from "@/client/screens/shell/shell-context";
import { useNavigate } from "@/client/use-navigate";
import { SettingsLayout } from "@/components/settings/settings-layout";
import { findSettingsPage, listSettingsPages } from "@/components/settings/settings-pages";

/** The frame of the settings pages; it stays when the page changes, so that the link keeps the focus. */
export const SettingsFrame = ({ children }: { children: ReactNode }) => {
  const { user, openSidebar, waitingCount } = useShell();
  const navigate = useNavigate();
  const pathname = usePathname();
  return (
    <>
      <title>{`${findSettingsPage(pathname)?.label ?? "Not found"} · Settings · Parley`}</title>
      <SettingsLayout
        groups={listSettingsPages(user.role === "owner")}
        currentHref={pathname}
        onNavigate={navigate}
        onOpenSidebar={openSidebar}
        waitingCount={waitingCount}
      >
        {children}
      </SettingsLayout>
    </>
  );
};
