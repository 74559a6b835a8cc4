import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";

/**
 * Gives each page a policy that lets only our own scripts run, by a nonce that Next puts on
 * them. The API is left out: it serves no pages, and a proxy would cut large request bodies.
 */
export const proxy = (request: NextRequest): NextResponse => {
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  for (const [name, value] of FIXED_HEADERS) response.headers.set(name, value);
  return response;
};

export const config = {
  matcher: ["/((?!api/|healthz$|readyz$|metrics$|_next/static/|_next/image/|favicon.ico$).*)"],
};

const FIXED_HEADERS = [
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
  ["referrer-policy", "same-origin"],
  ["permissions-policy", "camera=(), geolocation=(), microphone=()"],
  ["cross-origin-opener-policy", "same-origin"],
] as const;

/** React's development build evaluates text to show better stacks, and reloads over a socket. */
// eslint-disable-next-line no-restricted-syntax -- no setting: the build puts the value here
const IS_DEVELOPMENT = process.env.NODE_ENV === "development";

const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${IS_DEVELOPMENT ? " 'unsafe-eval'" : ""}`,
    // Highlighted code carries its colours in style attributes, which no nonce covers.
    "style-src 'self' 'unsafe-inline'",
    // A picture from elsewhere in a model's answer would tell its server what was said.
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${IS_DEVELOPMENT ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
