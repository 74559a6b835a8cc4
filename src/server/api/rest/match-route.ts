import { addRoute, createRouter, findRoute } from "rou3";
import type { DownloadOperation, Operation, StreamOperation } from "@/server/api/operation";
import { downloads, operations, streams, uploads } from "@/server/api/operations/all-operations";

type Params = Record<string, string>;

type Route =
  | { type: "operation"; operation: Operation }
  | { type: "download"; operation: DownloadOperation }
  | { type: "stream"; operation: StreamOperation };

type Match =
  | (Route & { params: Params })
  /** The path exists, for these methods. */
  | { type: "wrong-method"; allowed: string[] }
  | { type: "unknown" };

const routes: Route[] = [
  ...[...operations, ...uploads].map((operation) => ({ type: "operation" as const, operation })),
  ...downloads.map((operation) => ({ type: "download" as const, operation })),
  ...streams.map((operation) => ({ type: "stream" as const, operation })),
];

/** Of the document of the API, which is no operation. */
export const OPENAPI_PATH = "/openapi.json";

/** One entry per path with the routes of all its methods, as an unknown method needs them. */
const router = createRouter<Route[]>();
for (const [path, routesOfPath] of Map.groupBy(routes, ({ operation }) => operation.path)) {
  addRoute(router, "", path.replaceAll(/\{(\w+)\}/g, ":$1"), routesOfPath);
}

export const REST_MOUNT = "/api/v1";

/** @param path what follows the mount. @returns the path of the operations that it is one of. */
export const findRestPath = (path: string): string | undefined =>
  path === OPENAPI_PATH ? path : findRoute(router, "", path)?.data[0]?.operation.path;

/** @param path what follows the mount. */
export const matchRoute = (method: string, path: string): Match => {
  // The router ignores a slash at the end.
  const found = path.endsWith("/") ? undefined : findRoute(router, "", path);
  const params = found?.params ? decodeParams(found.params) : {};
  if (!found || !params) return { type: "unknown" };
  const route = found.data.find(({ operation }) => operation.method === method);
  if (route) return { ...route, params };
  return { type: "wrong-method", allowed: found.data.map(({ operation }) => operation.method) };
};

/** @returns undefined when a value is not valid percent-encoding. */
const decodeParams = (params: Params): Params | undefined => {
  try {
    return Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
  } catch {
    return undefined;
  }
};
