"use client";
import type { ReactNode } from "react";
import { useShell } from "@/app/(app)/shell-context";
import { PageHeader } from "@/components/ui/page-header";

type SettingsFrameProps = { title: string; children: ReactNode };

/** The frame of a settings page. */
export const SettingsFrame = ({ title, children }: SettingsFrameProps) => {
  const { openSidebar } = useShell();
  return (
    <>
      <title>{`${title} · Settings · Parley`}</title>
      <PageHeader onOpenSidebar={openSidebar}>
        <h1 className="truncate text-sm font-semibold">
          <span className="font-normal text-muted">Settings / </span>
          {title}
        </h1>
      </PageHeader>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-6">
        <div className="mx-auto w-full max-w-2xl">{children}</div>
      </div>
    </>
  );
};
