"use client";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { goToLogin } from "./go-to-login";
import { createQueryClient } from "./query-client";
import { ApiProvider, createApi } from "./trpc";

/** Provides the query and tRPC clients to the hooks of src/client. */
export const Providers = ({ children }: { children: ReactNode }) => {
  const [queryClient] = useState(() => createQueryClient(goToLogin));
  const [api] = useState(createApi);
  return (
    <QueryClientProvider client={queryClient}>
      <ApiProvider value={api}>{children}</ApiProvider>
    </QueryClientProvider>
  );
};
