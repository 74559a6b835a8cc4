/** What a screen knows of something that it has to ask the server for. */
export type Loaded<Value> =
  | { state: "loading" }
  | { state: "failed"; detail: string }
  | { state: "ready"; value: Value; refreshing: boolean };
