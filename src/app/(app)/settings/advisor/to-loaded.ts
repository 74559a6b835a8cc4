import { toProblem } from "@/client/to-problem";
import type { Loaded } from "@/components/settings/loaded";

type QueryResult<Value> = { data: Value | undefined; error: unknown; isFetching: boolean };

/** Converts a query; cached data stays visible during a refetch and after a failed one. */
export const toLoaded = <Value>({ data, error, isFetching }: QueryResult<Value>): Loaded<Value> => {
  if (data !== undefined) return { state: "ready", value: data, refreshing: isFetching };
  if (isFetching || !error) return { state: "loading" };
  return { state: "failed", detail: toProblem(error).detail };
};
