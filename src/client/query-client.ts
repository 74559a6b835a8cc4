import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { toProblem } from "./to-problem";

const MAX_RETRIES = 3;

/** @param onSignedOut is called when the server rejects a request because the session has ended. */
export const createQueryClient = (onSignedOut: () => void): QueryClient => {
  const onError = (error: unknown): void => {
    if (toProblem(error).code === "unauthorized") onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // An offline browser can still reach a server on its own machine.
        networkMode: "always",
        refetchOnReconnect: true,
        retry: (failures, error) => failures < MAX_RETRIES && isTransient(error),
      },
      mutations: { networkMode: "always" },
    },
  });
};

/** Whether a retry of the same request may succeed. */
const isTransient = (error: unknown): boolean =>
  ["unavailable", "internal", "limit_exceeded"].includes(toProblem(error).code);
