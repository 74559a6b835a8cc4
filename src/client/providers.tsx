"use client";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { goToLogin } from "./go-to-login";
import { createQueryClient } from "./query-client";
import { ApiProvider, createApi } from "./trpc";

/** Provides the query and tRPC clients to the hooks of src/client. */
export const Providers = ({ children }: { children: ReactNode }) => {
  const [queryClient] = useState(() => createQueryClient(goToLogin));
  const [api] = useState(createApi);
  // Syncs with the scripts of the page: the first command does not wait for them. It reports that they cannot be loaded.
  useEffect(() => {
    api.load().catch(() => undefined);
  }, [api]);
  return (
    <QueryClientProvider client={queryClient}>
      <ApiProvider value={api}>{children}</ApiProvider>
    </QueryClientProvider>
  );
};
