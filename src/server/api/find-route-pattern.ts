import { operations, streams } from "./operations/all-operations";
import { findRestPath, REST_MOUNT } from "./rest/match-route";

const TRPC_MOUNT = "/api/trpc/";
const PROCEDURES = new Set([...operations, ...streams].map(({ name }): string => name));

/** The first folders of all other paths. */
const SECTIONS = new Set(
  "_next api chats docs healthz llms.txt login mcp metrics playground readyz settings setup v1".split(
    " ",
  ),
);

/**
 * Finds the pattern of a path, such as `/api/v1/chats/{chat_id}`. There is a limited number of patterns, whatever clients
 * send, and none has an id.
 *
 * @param target path and query of a request, which may be malformed.
 */
export const findRoutePattern = (target: string): string => {
  const [path = ""] = target.split("?", 1);
  if (path.startsWith(`${REST_MOUNT}/`)) {
    return REST_MOUNT + (findRestPath(path.slice(REST_MOUNT.length)) ?? "/*");
  }
  if (path.startsWith(TRPC_MOUNT)) {
    const name = path.slice(TRPC_MOUNT.length);
    return TRPC_MOUNT + (PROCEDURES.has(name) ? name : "*");
  }
  if (path.startsWith("/api/auth/")) return "/api/auth/*";
  const [, section = "", ...rest] = path.split("/");
  if (section === "") return path === "/" ? "/" : "/*";
  if (!SECTIONS.has(section)) return "/*";
  return rest.length === 0 ? `/${section}` : `/${section}/*`;
};
