import { Credentials, NewOwnerInput } from "@/contract/account";
import { DomainError } from "@/contract/domain-error";
import type { AuthServices } from "./auth-services";
import { getClientNetwork } from "./client-network";
import { createOwner } from "./owner";
import { requireSameOrigin } from "./same-origin";
import { opensSetup } from "./setup-code";

type Handler = (services: AuthServices, headers: Headers, body: unknown) => Promise<Response>;

/**
 * Handles requests to `/api/auth/…`: what begins and ends a session. All else about an account are
 * operations of the API.
 *
 * @param readBody reads the request's JSON and enforces its limits.
 * @throws {DomainError} for an invalid request.
 * @throws {z.ZodError} for invalid fields of a new owner or of a sign-in.
 */
export const handleAuth = async (
  services: AuthServices,
  request: Request,
  readBody: (request: Request) => Promise<unknown>,
): Promise<Response> => {
  const path = new URL(request.url).pathname.replace(/^.*\/api\/auth/, "");
  const handle = request.method === "POST" ? HANDLERS.get(path) : undefined;
  if (!handle) throw new DomainError("not_found", `There is no ${request.method} ${path} here.`);
  requireSameOrigin(request, services.publicUrl);
  return handle(services, request.headers, await readBody(request));
};

const signUp: Handler = async (services, headers, body) => {
  const { setup_code: setupCode, ...owner } = NewOwnerInput.parse(body);
  if (!(await opensSetup(services.db, setupCode))) {
    throw new DomainError(
      "forbidden",
      "The set-up code is missing or wrong: open the link that the server printed when it started.",
    );
  }
  if ((await createOwner(services.db, owner, services.newId)) === undefined) {
    throw new DomainError("forbidden", "This server has its owner already: sign in instead.");
  }
  return signIn(services, headers, { email: owner.email, password: owner.password });
};

const signIn: Handler = async ({ sessions, limits, knownBrowsers }, headers, body) => {
  const credentials = Credentials.parse(body);
  const account = credentials.email;
  const attempt = {
    account,
    network: getClientNetwork(headers),
    knownBrowser: knownBrowsers.find(headers, account),
  };
  const session = await limits.tryPassword(attempt, () => sessions.signIn(headers, credentials));
  if (!session) {
    throw new DomainError("unauthorized", "The email address or the password is wrong.");
  }
  return createResponse({ user: session.result }, [
    ...session.cookies,
    knownBrowsers.createCookie(account),
  ]);
};

const signOut: Handler = async ({ sessions, caches }, headers) => {
  const cookie = sessions.readCookie(headers);
  const cookies = cookie === undefined ? [] : await sessions.signOut(cookie);
  caches.sessions.clear();
  return createResponse({ success: true }, cookies);
};

const HANDLERS = new Map<string, Handler>([
  ["/sign-in/email", signIn],
  ["/sign-up/email", signUp],
  ["/sign-out", signOut],
]);

const createResponse = (body: object, cookies: readonly string[]): Response =>
  Response.json(body, {
    headers: cookies.map((cookie): [string, string] => ["set-cookie", cookie]),
  });
