import { toProblem } from "@/client/to-problem";
import type { Loaded } from "@/components/settings/loaded";

type Asked<Value> = { data: Value | undefined; error: unknown; isFetching: boolean };

/** Old news is shown while new ones come, and stays when they do not. */
export const toLoaded = <Value>({ data, error, isFetching }: Asked<Value>): Loaded<Value> => {
  if (data !== undefined) return { state: "ready", value: data, refreshing: isFetching };
  if (isFetching || !error) return { state: "loading" };
  return { state: "failed", detail: toProblem(error).detail };
};
