"use client";
import type { ReactNode } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { Alert } from "./alert";
import { Button } from "./button";

/** A server that was updated may not have the scripts of this page any more. */
const isWithoutScripts = (error: unknown): boolean =>
  error instanceof Error && error.name === "ChunkLoadError";

/** Renders anew what has failed; what has failed without its scripts needs the page of now. */
export const renderAgain = (error: unknown, reset: () => void): void =>
  isWithoutScripts(error) ? window.location.reload() : reset();

type FailureBoundaryProps = {
  /** What is shown, such as "message". */
  what: string;
  /** When one of these changes, it is rendered again. */
  resetKeys: unknown[];
  children: ReactNode;
};

/** Shows an error in the place of a part of the page that cannot be rendered, so that the rest of the page stays. */
export const FailureBoundary = ({ what, resetKeys, children }: FailureBoundaryProps) => (
  <ErrorBoundary
    resetKeys={resetKeys}
    // Servers have no such function to pass on.
    onError={(error) => reportError(error)}
    fallbackRender={({ error, resetErrorBoundary }) => (
      <Alert
        tone="danger"
        announce="alert"
        title={`This ${what} could not be shown`}
        action={
          <Button size="sm" onClick={() => renderAgain(error, resetErrorBoundary)}>
            Try again
          </Button>
        }
      >
        Nothing that was sent is lost.
      </Alert>
    )}
  >
    {children}
  </ErrorBoundary>
);
