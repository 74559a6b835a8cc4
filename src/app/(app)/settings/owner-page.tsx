import type { ReactNode } from "react";
import { requireUser } from "@/app/session";

/** A page of settings of the server, for administrators. */
export const OwnerPage = async ({ children }: { children: ReactNode }) => {
  const { role } = await requireUser();
  if (role === "owner") return children;
  return (
    <p className="text-muted">
      Only the administrator of this server can see and change these settings.
    </p>
  );
};
