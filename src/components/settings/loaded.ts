/** A value from the server and its loading state. */
export type Loadable<Value> =
  | { state: "loading" }
  | { state: "failed"; detail: string }
  | { state: "ready"; value: Value; isRefreshing: boolean };
