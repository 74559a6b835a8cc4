import { createTRPCClient, httpBatchStreamLink, type TRPCClient } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { MAX_BATCH_CALLS } from "@/contract/limits";
import { fetchExactly } from "./fetch-exactly";
import type { AppRouter } from "@/server/api/router";
import { createRepeatLink, toKeyHeader } from "./repeat-link";

/** Query and mutation options of each procedure, for the hooks of src/client. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

/**
 * Batches the calls of one tick into a request, because streams use up to half of the connections. Commands are
 * repeated until the server answers.
 */
export const createApiClient = (): TRPCClient<AppRouter> =>
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
