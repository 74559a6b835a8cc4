"use client";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { goToLogin } from "./go-to-login";
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
