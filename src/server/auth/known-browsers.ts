import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { getCookiePrefix, isHttps, readCookie } from "./cookies";
import type { SessionSettings } from "./sessions";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

export type KnownBrowsers = ReturnType<typeof createKnownBrowsers>;

/**
 * Recognizes browsers that signed in to an account before, by a signed cookie that outlives the session. Failed
 * attempts of other browsers do not lock them out.
 */
export const createKnownBrowsers = ({ secret, publicUrl }: SessionSettings) => {
  const name = `${getCookiePrefix(publicUrl)}.known_browser`;
  const sign = (id: string, account: string): string =>
    createHmac("sha256", secret).update(`known-browser\0${id}\0${account}`).digest("base64url");

  return {
    /** @returns the browser's id if it has signed in to the account; undefined for any other. */
    find: (headers: Headers, account: string): string | undefined => {
      const [id, signature] = readCookie(headers, name)?.split(".") ?? [];
      if (id === undefined || signature === undefined) return undefined;
      const expected = Buffer.from(sign(id, account));
      const given = Buffer.from(signature);
      const isValid = given.length === expected.length && timingSafeEqual(given, expected);
      return isValid ? id : undefined;
    },
    /** @returns the `set-cookie` header after a sign-in. */
    createCookie: (account: string): string => {
      const id = randomBytes(16).toString("base64url");
      const value = `${id}.${sign(id, account)}`;
      const secure = isHttps(publicUrl) ? "; Secure" : "";
      return `${name}=${value}; Max-Age=${YEAR_SECONDS}; Path=/; HttpOnly; SameSite=Strict${secure}`;
    },
  };
};
