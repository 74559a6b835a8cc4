import type { ReactNode } from "react";
import { requireUser } from "@/app/session";
import { EmptyState } from "@/components/ui/empty-state";

/** A page of settings of the server, for administrators. */
export const OwnerPage = async ({ children }: { children: ReactNode }) => {
  const { role } = await requireUser();
  if (role === "owner") return children;
  return (
    <EmptyState
      kind="missing"
      size="page"
      title="For administrators"
      text="Only the administrator of this server can see and change these settings."
    />
  );
};
