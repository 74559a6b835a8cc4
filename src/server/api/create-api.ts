import type { AuthServices } from "@/server/auth/auth-services";
import type { ServerContext } from "@/server/context";
import { env } from "@/server/env";
import { appMetrics } from "@/server/metrics/app-metrics";
import type { ApiLog } from "./failure-response";
import { createAuthHandler } from "./handle-auth-request";
import { handleMetrics } from "./handle-metrics";
import { createTrpcHandler } from "./handle-trpc";
import { handleUnknownPath } from "./handle-unknown-path";
import { handleReadyz } from "./health";
import { createRestHandler } from "./rest/handle-rest";

type ApiDeps = {
  auth: AuthServices;
  toolSources: ServerContext["toolSources"];
  log: ApiLog;
};

export type Api = ReturnType<typeof createApi>;

/** Creates the handlers of all requests that are not for pages. */
export const createApi = ({ auth, toolSources, log }: ApiDeps) => {
  const deps = { auth, toolSources, log };
  return {
    handleRest: createRestHandler(deps),
    handleTrpc: createTrpcHandler(deps),
    handleAuth: createAuthHandler(auth, log),
    /** Answers paths under `/api` that no other handler serves. */
    handleUnknown: (request: Request) => handleUnknownPath(request, log),
    handleReadyz: () => handleReadyz(auth.db),
    handleMetrics: (request: Request) =>
      handleMetrics(request, { db: auth.db, metrics: appMetrics(), settings: env(), log }),
  };
};
