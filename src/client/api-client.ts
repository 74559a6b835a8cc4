import { createTRPCUntypedClient, httpBatchStreamLink } from "@trpc/client";
import { MAX_BATCH_CALLS } from "@/contract/limits";
import type { AppRouter } from "@/server/api/router";
import { fetchExactly } from "./fetch-exactly";
import type { ProcedureCaller } from "./procedures";
import { createRepeatLink, toKeyHeader } from "./repeat-link";

/**
 * Batches the calls of one tick into a request, because streams use up to half of the connections. Commands are
 * repeated until the server answers.
 */
export const createApiClient = (): ProcedureCaller =>
  createTRPCUntypedClient<AppRouter>({
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
