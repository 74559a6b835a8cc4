import { getUntypedClient, type TRPCClient } from "@trpc/client";
import type { TRPCOptionsProxy } from "@trpc/tanstack-react-query";
import type { AppRouter } from "@/server/api/router";

/**
 * Creates the keys and the options of all procedures for the hooks of the cache, of the types that tRPC gives them. Its own
 * program for this is eight times as large, because it can also subscribe and read pages.
 */
export const createProcedureOptions = (
  client: TRPCClient<AppRouter>,
): TRPCOptionsProxy<AppRouter> => {
  const untyped = getUntypedClient(client);
  const listMethods = (path: readonly string[]): Record<string, unknown> => {
    const name = path.join(".");
    const queryKey = (input: unknown) => [path, { input, type: "query" }];
    return {
      pathKey: () => [path],
      queryKey,
      queryOptions: (input: unknown, options?: object) => ({
        ...options,
        queryKey: queryKey(input),
        queryFn: () => untyped.query(name, input),
      }),
      mutationOptions: (options?: object) => ({
        ...options,
        mutationKey: [path],
        mutationFn: (input: unknown) => untyped.mutation(name, input),
      }),
    };
  };
  const create = (path: readonly string[]): object => {
    const methods = listMethods(path);
    const get = (_: object, name: string): unknown => methods[name] ?? create([...path, name]);
    return new Proxy({}, { get });
  };
  return create([]) as TRPCOptionsProxy<AppRouter>;
};
