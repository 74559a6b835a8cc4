import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { THEME_COOKIE, Theme } from "@/client/theme";
import { appAuth } from "@/server/auth/auth-services";
import { hasOwner } from "@/server/auth/owner";

export type SessionUser = {
  id: string;
  name: string;
  email: string;
  /** The owner administers the server. */
  role: "owner" | "member";
};

/** Who the page is for; whoever is not signed in is led to where that is done. */
export const requireUser = async (): Promise<SessionUser> => {
  const user = await findUser();
  if (user) return user;
  redirect((await hasOwner(appAuth().db)) ? "/login" : "/setup");
};

/** @returns undefined for somebody who is not signed in. */
export const findUser = async (): Promise<SessionUser | undefined> => {
  // A page cannot set cookies; the API prolongs the session.
  const session = await appAuth().sessions.api.getSession({
    headers: await headers(),
    query: { disableRefresh: true },
  });
  return session ? pickUser(session.user) : undefined;
};

type StoredUser = Omit<SessionUser, "role"> & { role?: string | null | undefined };

const pickUser = ({ id, name, email, role }: StoredUser): SessionUser => ({
  id,
  name,
  email,
  role: role === "owner" ? "owner" : "member",
});

/** The theme that the browser asked for last. */
export const readTheme = async (): Promise<Theme> =>
  Theme.safeParse((await cookies()).get(THEME_COOKIE)?.value).data ?? "system";
