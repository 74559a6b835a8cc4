import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { findAppearance } from "@/client/appearance";
import type { Appearance } from "@/contract/appearance";
import { createLoginPath, PAGE_HEADER } from "@/lib/return-path";
import { appApi } from "@/server/api/process-api";
import type { SessionUser } from "@/server/auth/sessions";

/** Returns the signed-in user; redirects everyone else to sign-in and back, or to setup on a new server. */
export const requireUser = async (): Promise<SessionUser> => {
  const user = await findUser();
  if (user) return user;
  redirect((await appApi().pages.hasOwner()) ? createLoginPath(await readPage()) : "/setup");
};

/** As `requireUser`, but undefined for a visitor of a page that everybody may see. */
export const findPageUser = async (): Promise<SessionUser | undefined> =>
  appApi().pages.isPublic(await readPage()) ? findUser() : requireUser();

/** The path and query of the page of the request. */
const readPage = async (): Promise<string> => (await headers()).get(PAGE_HEADER) ?? "/";

/** @returns undefined without a valid session. */
export const findUser = async (): Promise<SessionUser | undefined> =>
  appApi().pages.findUser(await headers());

/** Returns the hosts by which a page that is open may write: those of its request, and of the public address. */
export const listHosts = async (): Promise<string[]> => appApi().pages.listHosts(await headers());

/** Returns the appearance that is stored in the browser's cookies. */
export const readAppearance = async (): Promise<Appearance> => {
  const jar = await cookies();
  return findAppearance((name) => jar.get(name)?.value);
};
