import type { ReactNode } from "react";
import { readAppearance, requireUser } from "@/app/session";
import { AppShell } from "@/client/screens/shell/app-shell";

const AppLayout = async ({ children }: { children: ReactNode }) => (
  <AppShell user={await requireUser()} initialAppearance={await readAppearance()}>
    {children}
  </AppShell>
);
export default AppLayout;
