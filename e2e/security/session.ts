import type { TestServer } from "../server";

/** A signed-in browser without a page. */
type TestSession = {
  cookies: { name: string; value: string }[];
  /** All cookies as a request sends them. */
  cookie: string;
  /** The body of the sign-in's answer. */
  body: string;
};

/** Signs in as the owner. @param cookie the cookies that the browser has already. */
export const createSession = async (
  { url, owner }: Pick<TestServer, "url" | "owner">,
  cookie = "",
): Promise<TestSession> => {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { origin: url, "content-type": "application/json", cookie },
    body: JSON.stringify(owner),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`no session: ${body}`);
  const pairs = response.headers.getSetCookie().map((header) => header.split(";")[0] ?? "");
  const cookies = pairs.map((pair) => {
    const end = pair.indexOf("=");
    return { name: pair.slice(0, end), value: pair.slice(end + 1) };
  });
  return { cookies, cookie: pairs.join("; "), body };
};
