import type { ReactNode } from "react";
import { Alert } from "./alert";
import { Button } from "./button";
import { Spinner } from "./spinner";

/** A value from the server and its loading state. */
export type Loadable<Value> =
  | { state: "loading" }
  | { state: "failed"; detail: string }
  | { state: "ready"; value: Value; isRefreshing: boolean };

type LoadedProps<Value> = {
  loadable: Loadable<Value>;
  /** What is loaded, in the plural, such as "settings". */
  what: string;
  onReload: () => void;
  children: (value: Value, isRefreshing: boolean) => ReactNode;
};

/** Renders a value from the server; until it is there, that it loads or why it could not be loaded. */
export const Loaded = <Value,>({ loadable, what, onReload, children }: LoadedProps<Value>) => {
  switch (loadable.state) {
    case "loading":
      return (
        <p role="status" className="flex items-center gap-2 text-muted">
          <Spinner /> Loading {what}…
        </p>
      );
    case "failed":
      return (
        <Alert
          tone="danger"
          announce="alert"
          title={`The ${what} could not be loaded`}
          action={
            <Button size="sm" onClick={onReload}>
              Try again
            </Button>
          }
        >
          {loadable.detail}
        </Alert>
      );
    case "ready":
      return children(loadable.value, loadable.isRefreshing);
  }
};

export const mapLoadable = <Value, Mapped>(
  loadable: Loadable<Value>,
  convert: (value: Value) => Mapped,
): Loadable<Mapped> =>
  loadable.state === "ready" ? { ...loadable, value: convert(loadable.value) } : loadable;
