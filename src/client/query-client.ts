import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { problemOf } from "./problem-of";

const MAX_RETRIES = 3;

/** @param onSignedOut is told when the session has ended. */
export const createQueryClient = (onSignedOut: () => void): QueryClient => {
  const onError = (error: unknown): void => {
    if (problemOf(error).code === "unauthorized") onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (failures, error) => failures < MAX_RETRIES && isPassing(error),
      },
      // A browser that believes to be offline still reaches a server on its own machine.
      mutations: { networkMode: "always" },
    },
  });
};

/** Whether the same request may succeed a little later. */
const isPassing = (error: unknown): boolean =>
  ["unavailable", "internal", "limit_exceeded"].includes(problemOf(error).code);
