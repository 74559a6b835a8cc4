import type { TRPCClient, TRPCUntypedClient } from "@trpc/client";
import type { TRPCOptionsProxy } from "@trpc/tanstack-react-query";
import type { AppRouter } from "@/server/api/router";

/** Calls procedures by their names. */
export type ProcedureCaller = Pick<TRPCUntypedClient<AppRouter>, "query" | "mutation">;

/** Creates the calls of all procedures, of the types that tRPC gives them. */
export const createProcedures = (caller: ProcedureCaller): TRPCClient<AppRouter> =>
  createTree((path) => {
    const name = path.join(".");
    return {
      query: (...request: CallArguments) => caller.query(name, ...request),
      mutate: (...request: CallArguments) => caller.mutation(name, ...request),
    };
  }) as TRPCClient<AppRouter>;

type CallArguments = [input?: unknown, options?: Parameters<ProcedureCaller["query"]>[2]];

/**
 * Creates the keys and the options of all procedures for the hooks of the cache, of the types that tRPC gives them. Its own
 * program for this is eight times as large, because it can also subscribe and read pages.
 */
export const createProcedureOptions = (caller: ProcedureCaller): TRPCOptionsProxy<AppRouter> =>
  createTree((path) => {
    const name = path.join(".");
    const queryKey = (input: unknown) => [path, { input, type: "query" }];
    return {
      pathKey: () => [path],
      queryKey,
      queryOptions: (input: unknown, options?: object) => ({
        ...options,
        queryKey: queryKey(input),
        queryFn: () => caller.query(name, input),
      }),
      mutationOptions: (options?: object) => ({
        ...options,
        mutationKey: [path],
        mutationFn: (input: unknown) => caller.mutation(name, input),
      }),
    };
  }) as TRPCOptionsProxy<AppRouter>;

/** Creates an object that has the methods of a path wherever its properties lead. */
const createTree = (
  listMethods: (path: readonly string[]) => Record<string, unknown>,
  path: readonly string[] = [],
): object => {
  const methods = listMethods(path);
  const get = (_: object, name: string): unknown =>
    methods[name] ?? createTree(listMethods, [...path, name]);
  return new Proxy({}, { get });
};
