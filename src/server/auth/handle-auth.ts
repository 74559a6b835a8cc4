import { z } from "zod";
import { NewOwnerInput } from "@/contract/account";
import { DomainError } from "@/contract/domain-error";
import type { AuthServices } from "./auth-services";
import { createOwner } from "./owner";
import { requireSameOrigin } from "./same-origin";
import { opensSetup } from "./setup-code";

/** The library's endpoints that are public; all others are 404. */
const PUBLIC_ENDPOINTS = new Map<string, string>([
  ["/sign-in/email", "POST"],
  ["/sign-up/email", "POST"],
  ["/sign-out", "POST"],
  ["/get-session", "GET"],
  ["/change-password", "POST"],
  ["/list-sessions", "GET"],
  ["/revoke-session", "POST"],
  ["/revoke-sessions", "POST"],
  ["/revoke-other-sessions", "POST"],
]);

/**
 * Handles requests to `/api/auth/…`.
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
  if (PUBLIC_ENDPOINTS.get(path) !== request.method) {
    throw new DomainError("not_found", `There is no ${request.method} ${path} here.`);
  }
  if (request.method === "GET") return services.sessions.handler(request);
  requireSameOrigin(request, services.publicUrl);
  const body = await readBody(request);
  if (path === "/sign-up/email") return signUp(services, request, body);
  if (path === "/sign-in/email") return signIn(services, request, body);
  const response = await services.sessions.handler(withBody(request, path, body));
  services.authenticator.forgetSessions();
  return response;
};

const signUp = async (services: AuthServices, request: Request, body: unknown) => {
  const { setup_code: setupCode, ...owner } = NewOwnerInput.parse(body);
  await services.limits.beforeSignIn(request.headers, owner.email);
  if (!(await opensSetup(services.db, setupCode))) {
    throw new DomainError(
      "forbidden",
      "The set-up code is missing or wrong: open the link that the server printed when it started.",
    );
  }
  if ((await createOwner(services.db, owner, services.newId)) === undefined) {
    throw new DomainError("forbidden", "This server has its owner already: sign in instead.");
  }
  return signIn(services, request, { email: owner.email, password: owner.password });
};

const Credentials = z.looseObject({ email: z.string().max(254), password: z.string() });

const signIn = async (services: AuthServices, request: Request, body: unknown) => {
  const { email } = Credentials.parse(body);
  await services.limits.beforeSignIn(request.headers, email);
  const response = await services.sessions.handler(withBody(request, "/sign-in/email", body));
  if (response.ok) await services.limits.afterSignIn(request.headers, email);
  return response;
};

const withBody = (request: Request, path: string, body: unknown): Request => {
  const headers = new Headers(request.headers);
  headers.set("content-type", "application/json");
  headers.delete("content-length");
  const url = new URL(`/api/auth${path}`, request.url);
  return new Request(url, { method: "POST", headers, body: JSON.stringify(body) });
};
