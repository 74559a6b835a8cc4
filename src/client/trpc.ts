import type { TRPCClient } from "@trpc/client";
import type { TRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { createContext, use } from "react";
import { importPart } from "@/lib/import-part";
import type { AppRouter } from "@/server/api/router";
import { createProcedureOptions, createProcedures, type ProcedureCaller } from "./procedures";

type Api = {
  client: TRPCClient<AppRouter>;
  options: TRPCOptionsProxy<AppRouter>;
  /** Loads what sends the requests. Each request does so, too. */
  load: () => Promise<unknown>;
};

const ApiContext = createContext<Api | undefined>(undefined);
export const ApiProvider = ApiContext.Provider;

const useApi = (): Api => {
  const api = use(ApiContext);
  if (!api) throw new Error("ApiProvider is missing");
  return api;
};

export const useTRPCClient = (): Api["client"] => useApi().client;

/** Returns the keys and the options of each procedure, for the hooks of src/client. */
export const useTRPC = (): Api["options"] => useApi().options;

/** Creates the calls of the server. What sends them is no part of a page that is shown, as the server has put in what it shows. */
export const createApi = (): Api => {
  let loading: Promise<ProcedureCaller> | undefined;
  const load = (): Promise<ProcedureCaller> =>
    (loading ??= importPart(() => import("./api-client")).then(
      ({ createApiClient }) => createApiClient(),
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    ));
  const caller: ProcedureCaller = {
    query: async (...request) => (await load()).query(...request),
    mutation: async (...request) => (await load()).mutation(...request),
  };
  return { client: createProcedures(caller), options: createProcedureOptions(caller), load };
};
