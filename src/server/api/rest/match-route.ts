import type { Operation, StreamOperation } from "@/server/api/operation";
import { operations } from "@/server/api/operations/all-operations";
import { streams } from "@/server/api/operations/all-streams";

export type Match =
  | { type: "operation"; operation: Operation; params: Record<string, string> }
  | { type: "stream"; operation: StreamOperation; params: Record<string, string> }
  /** The path exists, for these methods. */
  | { type: "wrong-method"; allowed: string[] }
  | { type: "unknown" };

type Route = { method: string; segments: string[] } & (
  { type: "operation"; operation: Operation } | { type: "stream"; operation: StreamOperation }
);

const segmentsOf = (path: string): string[] => path.split("/").slice(1);

const routes: Route[] = [
  ...operations.map((operation) => ({
    type: "operation" as const,
    operation,
    method: operation.method,
    segments: segmentsOf(operation.path),
  })),
  ...streams.map((operation) => ({
    type: "stream" as const,
    operation,
    method: operation.method,
    segments: segmentsOf(operation.path),
  })),
];

/** @param path what follows `/api/v1`. */
export const matchRoute = (method: string, path: string): Match => {
  const segments = segmentsOf(path);
  const allowed: string[] = [];
  for (const route of routes) {
    const params = paramsOf(route.segments, segments);
    if (!params) continue;
    if (route.method === method) return { ...route, params };
    allowed.push(route.method);
  }
  return allowed.length > 0 ? { type: "wrong-method", allowed } : { type: "unknown" };
};

const paramsOf = (pattern: string[], segments: string[]): Record<string, string> | undefined => {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? "";
    if (!part.startsWith("{")) {
      if (part !== segment) return undefined;
      continue;
    }
    const value = decode(segment);
    if (value === undefined || value === "") return undefined;
    params[part.slice(1, -1)] = value;
  }
  return params;
};

const decode = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
};
