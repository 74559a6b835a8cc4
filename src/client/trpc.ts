import { createTRPCClient, httpBatchStreamLink, type TRPCClient } from "@trpc/client";
import { createContext, use } from "react";
import { MAX_BATCH_CALLS } from "@/contract/limits";
import { fetchExactly } from "./fetch-exactly";
import { createProcedureOptions } from "./procedure-options";
import type { AppRouter } from "@/server/api/router";
import { createRepeatLink, toKeyHeader } from "./repeat-link";

type Api = { client: TRPCClient<AppRouter>; options: ReturnType<typeof createProcedureOptions> };

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

export const createApi = (): Api => {
  const client = createApiClient();
  return { client, options: createProcedureOptions(client) };
};

/**
 * Batches the calls of one tick into a request, because streams use up to half of the connections. Commands are
 * repeated until the server answers.
 */
const createApiClient = (): TRPCClient<AppRouter> =>
  createTRPCClient<AppRouter>({
    links: [
      createRepeatLink(),
      httpBatchStreamLink({
        url: "/api/trpc",
        headers: ({ opList }) => toKeyHeader(opList),
        maxURLLength: 2_000,
        maxItems: MAX_BATCH_CALLS,
        fetch: (url, init) => fetchExactly(url, init as RequestInit),
      }),
    ],
  });
