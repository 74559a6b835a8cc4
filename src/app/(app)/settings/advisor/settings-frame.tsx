"use client";
import { Menu as MenuIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useShell } from "@/app/(app)/shell-context";
import { IconButton } from "@/components/ui/icon-button";

type SettingsFrameProps = { title: string; children: ReactNode };

/** One page of settings, beside the list of chats. */
export const SettingsFrame = ({ title, children }: SettingsFrameProps) => {
  const { openSidebar } = useShell();
  return (
    <>
      <title>{`${title} · Settings · Parley`}</title>
      <header className="flex h-13 shrink-0 items-center gap-1.5 border-b px-2 md:px-4">
        <span className="md:hidden">
          <IconButton
            label="Open chat list"
            icon={<MenuIcon aria-hidden size={18} />}
            onClick={openSidebar}
          />
        </span>
        <h1 className="truncate text-sm font-semibold">
          <span className="font-normal text-muted">Settings / </span>
          {title}
        </h1>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 py-6">
        <div className="mx-auto w-full max-w-2xl">{children}</div>
      </div>
    </>
  );
};
