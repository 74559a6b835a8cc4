import { hashPassword } from "better-auth/crypto";
import { v7 as newId } from "uuid";
import { CLIENT_ADDRESS_HEADER } from "@/server/client-address";
import type { Database } from "@/server/db/connection/database";
import { ORIGIN, type TestApi } from "./api-client";
import { createUser } from "./factories";

export const PASSWORD = "correct horse battery";

/** A person's account with a password. */
export type TestAccount = { userId: string; email: string };

export const createAccount = async (
  db: Database,
  { role = "member" }: { role?: "owner" | "member" } = {},
): Promise<TestAccount> => {
  const userId = await createUser(db, { role });
  const password = await hashPassword(PASSWORD);
  await db.prisma.account.create({
    data: { id: newId(), accountId: userId, providerId: "credential", userId, password },
  });
  return { userId, email: `${userId}@example.org` };
};

/** The request headers of a page of the site. */
const PAGE_HEADERS = {
  host: new URL(ORIGIN).host,
  origin: ORIGIN,
  "content-type": "application/json",
};

/** Sends a request to `/api/auth`, as a page of the site does. */
export const postAuth = (
  { api }: TestApi,
  path: string,
  {
    body = {},
    address = "192.0.2.1",
    cookie = "",
  }: {
    body?: object;
    address?: string;
    cookie?: string;
  } = {},
): Promise<Response> =>
  api.handleAuth(
    new Request(`${ORIGIN}/api/auth${path}`, {
      method: "POST",
      headers: { ...PAGE_HEADERS, cookie, [CLIENT_ADDRESS_HEADER]: address },
      body: JSON.stringify(body),
    }),
  );

/** Joins the cookies that a response sets to a request's header. */
export const toCookieHeader = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

/** Signs in and creates a REST and tRPC client with the session's cookie. */
export const signIn = async (test: TestApi, { email }: TestAccount, password = PASSWORD) => {
  const response = await postAuth(test, "/sign-in/email", { body: { email, password } });
  if (!response.ok) throw new Error(`no session: ${await response.text()}`);
  const cookie = toCookieHeader(response);
  return { response, ...createCookieClient(test, cookie) };
};

/** Creates a client that sends a cookie. */
export const createCookieClient = ({ api }: TestApi, cookie: string) => {
  const headers = { ...PAGE_HEADERS, cookie };
  return {
    cookie,
    rest: (route: string, body?: object): Promise<Response> => {
      const [method = "", path = ""] = route.split(" ");
      return api.handleRest(
        new Request(`${ORIGIN}/api/v1${path}`, {
          method,
          headers,
          ...(body && { body: JSON.stringify(body) }),
        }),
      );
    },
    trpc: (path: string): Promise<Response> =>
      api.handleTrpc(new Request(`${ORIGIN}/api/trpc/${path}`, { headers })),
  };
};
