import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { PAGE_HEADER } from "@/lib/return-path";

/**
 * Adds a content security policy to each page that allows only scripts with the nonce, which Next puts on its own,
 * and names the page to the layouts, which do not know it. The API is excluded: it serves no pages, and Next's proxy
 * truncates large request bodies.
 */
export const proxy = (request: NextRequest): NextResponse => {
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(nonce);
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  headers.set(PAGE_HEADER, `${request.nextUrl.pathname}${request.nextUrl.search}`);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  for (const [name, value] of FIXED_HEADERS) response.headers.set(name, value);
  return response;
};

export const config = {
  matcher: [
    "/((?!api/|v1/|v1$|mcp/|mcp$|healthz$|readyz$|metrics$|llms.txt$|_next/static/|_next/image/|favicon.ico$).*)",
  ],
};

const FIXED_HEADERS = [
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
  ["referrer-policy", "same-origin"],
  ["permissions-policy", "camera=(), geolocation=(), microphone=()"],
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
  // A link in an answer could tell its host a text by a name that the browser looks up before anybody clicks.
  ["x-dns-prefetch-control", "off"],
] as const;

/** In development, React evaluates strings for better stacks and Next reloads over a WebSocket. */
// eslint-disable-next-line no-restricted-syntax -- not a setting: the build inlines the value
const IS_DEVELOPMENT = process.env.NODE_ENV === "development";

const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${IS_DEVELOPMENT ? " 'unsafe-eval'" : ""}`,
    // Highlighted code has its colors in style attributes, which a nonce cannot allow.
    "style-src 'self' 'unsafe-inline'",
    // A remote image in a model's answer could leak the conversation by its URL.
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    // Workers are files of this server; without a line of their own, that of scripts would apply.
    "worker-src 'self'",
    `connect-src 'self'${IS_DEVELOPMENT ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
