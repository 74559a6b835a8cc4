"use client";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { createQueryClient } from "./query-client";
import { createApiClient, TRPCProvider } from "./trpc";

/** Provides the query and tRPC clients to the hooks of src/client. */
export const Providers = ({ children }: { children: ReactNode }) => {
  const [queryClient] = useState(() => createQueryClient(goToLogin));
  const [trpcClient] = useState(createApiClient);
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
};

/** Loads the page anew, so that no data of the old session stays in memory. */
const goToLogin = (): void => {
  if (window.location.pathname !== "/login") window.location.assign("/login");
};
