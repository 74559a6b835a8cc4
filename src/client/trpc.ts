import { createTRPCClient, httpBatchStreamLink, type TRPCClient } from "@trpc/client";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import type { AppRouter } from "@/server/api/router";

/** Procedures as options of TanStack Query, for the hooks of this room. */
export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>();

/** Calls of one tick share a request, so that streams leave connections for them. */
export const createApiClient = (): TRPCClient<AppRouter> =>
  createTRPCClient<AppRouter>({
    links: [httpBatchStreamLink({ url: "/api/trpc", maxURLLength: 2_000 })],
  });
