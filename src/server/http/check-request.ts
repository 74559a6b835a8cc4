import type { IncomingMessage } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import type { ErrorCode } from "@/contract/problem";
import { OUTAGE_RETRY_SECONDS } from "./outage-status";

/** Why a request is refused before any handler sees it. */
export type Refusal = {
  status: number;
  /** The status as text. */
  title: string;
  code: ErrorCode;
  /** What was wrong and what to do. */
  detail: string;
  headers?: Record<string, string>;
};

/** A request of Node, or one of the web in its form. Only a trusted proxy's headers on forwarding are left. */
export type CheckedRequest = Pick<IncomingMessage, "method" | "url" | "headers" | "rawHeaders">;

export type CheckDeps = {
  isAllowedHost: (host: string) => boolean;
  /** True while the process shuts down. */
  isDraining: () => boolean;
  /** False while the database is unreachable. */
  isDatabaseReachable: () => boolean;
};

export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Probes of load balancers and containers, which use any host or none, and must see a shutdown. */
const HEALTH_PATHS = ["/healthz", "/readyz"];

/** @returns undefined for a request that handlers may see. */
export const checkRequest = (
  { method = "", url = "", headers, rawHeaders }: CheckedRequest,
  { isAllowedHost, ...state }: CheckDeps,
): Refusal | undefined => {
  if (!METHODS.includes(method)) {
    return {
      status: 405,
      title: "Method Not Allowed",
      code: "invalid",
      detail: `The method ${method} is not supported.`,
      headers: { allow: METHODS.join(", ") },
    };
  }
  if (!isValidTarget(url)) {
    return badRequest("The path of the request is malformed: it must be a path in valid encoding.");
  }
  if (!isValidRouterState(headers["next-router-state-tree"])) {
    return badRequest(
      "The header Next-Router-State-Tree is malformed. Only pages send it: reload.",
    );
  }
  const [path = ""] = url.split("?", 1);
  if (HEALTH_PATHS.includes(path)) return undefined;
  if (countHosts(rawHeaders) !== 1) return badRequest("The request must have one Host header.");
  const hosts = [headers.host, headers["x-forwarded-host"]].flat();
  if (!hosts.every((host) => host === undefined || isAllowedHost(host))) {
    return {
      status: 421,
      title: "Misdirected Request",
      code: "forbidden",
      detail:
        "This server is not known by the host of the request. Use its address, or add the host to PARLEY_ALLOWED_HOSTS.",
    };
  }
  return checkState(path, state);
};

const checkState = (
  path: string,
  { isDraining, isDatabaseReachable }: Pick<CheckDeps, "isDraining" | "isDatabaseReachable">,
): Refusal | undefined => {
  if (isDraining()) return unavailable("The server is restarting. Try again in a moment.", 1);
  if (!isPage(path) || isDatabaseReachable()) return undefined;
  // The framework has no status but 500 for a page that cannot read its data.
  return unavailable(
    "The database is not available. Nothing is lost; try again in a moment.",
    OUTAGE_RETRY_SECONDS,
  );
};

/** Everything but the API, which has answers of its own, and files, which need no database. */
const isPage = (path: string): boolean =>
  !/^\/(api|v1|mcp|_next|metrics|llms\.txt)(\/|$)/.test(path);

const unavailable = (detail: string, seconds: number): Refusal => ({
  status: 503,
  title: "Service Unavailable",
  code: "unavailable",
  detail,
  headers: { "retry-after": String(seconds) },
});

const badRequest = (detail: string): Refusal => ({
  status: 400,
  title: "Bad Request",
  code: "invalid",
  detail,
});

/** Only a path: no `*`, no other site's URL, nothing that handlers could decode differently. */
const isValidTarget = (url: string): boolean => {
  const [path = ""] = url.split("?", 1);
  if (!path.startsWith("/") || path.startsWith("//") || path.includes("\\")) return false;
  try {
    // Control characters have no place in a path of this server.
    return !/\p{Cc}/u.test(decodeURIComponent(path));
  } catch {
    return false;
  }
};

/** The framework would answer with 500. */
const isValidRouterState = (state: string | string[] | undefined): boolean => {
  try {
    parseAndValidateFlightRouterState(state);
    return true;
  } catch {
    return false;
  }
};

/** Node keeps the first of several; a proxy may have looked at the last. */
const countHosts = (rawHeaders: readonly string[]): number =>
  rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host").length;
