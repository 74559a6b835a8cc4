import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { findTheme, type Theme } from "@/client/theme";
import { appAuth } from "@/server/auth/auth-services";
import { hasOwner } from "@/server/auth/owner";
import type { SessionUser } from "@/server/auth/sessions";

/** Returns the signed-in user; redirects everyone else to sign-in, or to setup on a new server. */
export const requireUser = async (): Promise<SessionUser> => {
  const user = await findUser();
  if (user) return user;
  redirect((await hasOwner(appAuth().db)) ? "/login" : "/setup");
};

/** @returns undefined if nobody is signed in. */
export const findUser = async (): Promise<SessionUser | undefined> => {
  // Rendering a page cannot set cookies, so only API requests extend the session.
  const { session } = await appAuth().authenticator.findSession(await headers(), {
    canExtend: false,
  });
  return session?.user;
};

/** Returns the theme that is stored in the browser's cookie. */
export const readTheme = async (): Promise<Theme> => {
  const jar = await cookies();
  return findTheme((name) => jar.get(name)?.value);
};
