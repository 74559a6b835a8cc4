import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { THEME_COOKIE, Theme } from "@/client/theme";
import { appAuth } from "@/server/auth/auth-services";
import { hasOwner } from "@/server/auth/owner";

export type SessionUser = {
  id: string;
  name: string;
  email: string;
  /** Only the owner can change server settings. */
  role: "owner" | "member";
};

/** Returns the signed-in user; redirects everyone else to sign-in, or to setup on a new server. */
export const requireUser = async (): Promise<SessionUser> => {
  const user = await findUser();
  if (user) return user;
  redirect((await hasOwner(appAuth().db)) ? "/login" : "/setup");
};

/** @returns undefined if nobody is signed in. */
export const findUser = async (): Promise<SessionUser | undefined> => {
  // Rendering a page cannot set cookies, so only API requests extend the session.
  const session = await appAuth().sessions.api.getSession({
    headers: await headers(),
    query: { disableRefresh: true },
  });
  return session ? toSessionUser(session.user) : undefined;
};

type StoredUser = Omit<SessionUser, "role"> & { role?: string | null | undefined };

const toSessionUser = ({ id, name, email, role }: StoredUser): SessionUser => ({
  id,
  name,
  email,
  role: role === "owner" ? "owner" : "member",
});

/** Returns the theme that is stored in the browser's cookie. */
export const readTheme = async (): Promise<Theme> =>
  Theme.safeParse((await cookies()).get(THEME_COOKIE)?.value).data ?? "system";
