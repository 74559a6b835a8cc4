import type { ReactNode } from "react";
import { findPageUser, readAppearance } from "@/app/session";
import { AppShell } from "@/client/screens/shell/app-shell";
import { MainArea } from "@/components/ui/main-area";

const AppLayout = async ({ children }: { children: ReactNode }) => {
  const user = await findPageUser();
  return user ? (
    <AppShell user={user} initialAppearance={await readAppearance()}>
      {children}
    </AppShell>
  ) : (
    <MainArea className="flex h-dvh min-w-0 flex-col print:block print:h-auto short:overflow-y-auto">
      {children}
    </MainArea>
  );
};
export default AppLayout;
