import type { ReactNode } from "react";
import { requireUser } from "@/app/session";
import { AppShell } from "./app-shell";

const AppLayout = async ({ children }: { children: ReactNode }) => (
  <AppShell user={await requireUser()}>{children}</AppShell>
);
export default AppLayout;
