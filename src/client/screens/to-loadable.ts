import { toProblem } from "@/client/to-problem";
import type { Loadable } from "@/components/ui/loaded";

type QueryResult<Value> = { data: Value | undefined; error: unknown; isFetching: boolean };

/** Converts a query; cached data stays visible during a refetch and after a failed one. */
export const toLoadable = <Value>({
  data,
  error,
  isFetching,
}: QueryResult<Value>): Loadable<Value> => {
  if (data !== undefined) return { state: "ready", value: data, isRefreshing: isFetching };
  if (isFetching || !error) return { state: "loading" };
  return { state: "failed", detail: toProblem(error).detail };
};

/** Returns what loads a query again. */
export const toReload =
  ({ refetch }: { refetch: () => Promise<unknown> }) =>
  (): void => {
    refetch().catch(reportError);
  };
