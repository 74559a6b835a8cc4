import { createDatabaseProbe } from "@/server/app/database-probe";
import { env } from "@/server/env";
import { appMetrics } from "@/server/metrics/app-metrics";
import type { ApiLog } from "./failure-response";
import { findRoutePattern } from "./find-route-pattern";
import { createAuthHandler } from "./handle-auth-request";
import { handleLlms } from "./handle-llms";
import { handleMetrics } from "./handle-metrics";
import { createTrpcHandler } from "./handle-trpc";
import { handleUnknownPath } from "./handle-unknown-path";
import { handleHealthz, handleReadyz } from "./health";
import type { SharedDeps } from "./operation-context";
import { createPageReaders } from "./page-readers";
import type { WorkerActivity } from "@/server/stream/worker-activity";
import { createRestHandler } from "./rest/handle-rest";

type ApiDeps = SharedDeps & {
  activity: WorkerActivity;
  log: ApiLog;
  /** Whether the reference of the API is for everybody. */
  publicDocs: boolean;
};

export type Api = ReturnType<typeof createApi>;

/** Creates the handlers of all requests that are not for pages. */
export const createApi = (deps: ApiDeps) => {
  const { auth, activity, log } = deps;
  const probe = createDatabaseProbe(auth.db);
  return {
    findRoutePattern,
    handleRest: createRestHandler(deps),
    handleTrpc: createTrpcHandler(deps),
    pages: createPageReaders(deps),
    handleAuth: createAuthHandler(auth, log),
    /** Answers paths under `/api` that no other handler serves. */
    handleUnknown: (request: Request) => handleUnknownPath(request, log),
    handleLlms: (request: Request) => handleLlms(request, deps),
    handleHealthz: () => handleHealthz(auth.db),
    handleReadyz: () => handleReadyz({ probe, activity }),
    handleMetrics: (request: Request) =>
      handleMetrics(request, { db: auth.db, metrics: appMetrics(), settings: env(), log }),
  };
};
