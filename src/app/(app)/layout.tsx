import type { ReactNode } from "react";
import { readTheme, requireUser } from "@/app/session";
import { AppShell } from "./app-shell";

const AppLayout = async ({ children }: { children: ReactNode }) => (
  <AppShell user={await requireUser()} initialTheme={await readTheme()}>
    {children}
  </AppShell>
);
export default AppLayout;
