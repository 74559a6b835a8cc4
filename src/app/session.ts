import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { findAppearance } from "@/client/appearance";
import type { Appearance } from "@/contract/appearance";
import { createLoginPath, PAGE_HEADER } from "@/lib/return-path";
import { appAuth } from "@/server/auth/auth-services";
import { hasOwner } from "@/server/auth/owner";
import type { SessionUser } from "@/server/auth/sessions";

/** Returns the signed-in user; redirects everyone else to sign-in and back, or to setup on a new server. */
export const requireUser = async (): Promise<SessionUser> => {
  const user = await findUser();
  if (user) return user;
  const page = (await headers()).get(PAGE_HEADER) ?? "/";
  redirect((await hasOwner(appAuth().db)) ? createLoginPath(page) : "/setup");
};

/** @returns undefined without a valid session. */
export const findUser = async (): Promise<SessionUser | undefined> => {
  // Rendering a page cannot set cookies, so only API requests extend the session.
  const { session } = await appAuth().authenticator.findSession(await headers(), {
    canExtend: false,
  });
  return session?.user;
};

/** Returns the appearance that is stored in the browser's cookies. */
export const readAppearance = async (): Promise<Appearance> => {
  const jar = await cookies();
  return findAppearance((name) => jar.get(name)?.value);
};
