"use client";
import { useEffect } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

type ErrorPageProps = { error: Error; reset: () => void };

/** A server that was updated may not have the scripts of this page any more. */
const isWithoutScripts = ({ name }: Error): boolean => name === "ChunkLoadError";

const reload = (): void => location.reload();

const ErrorPage = ({ error, reset }: ErrorPageProps) => {
  // Syncs with the browser's error log, which errors caught by React do not reach.
  useEffect(() => reportError(error), [error]);
  return (
    <>
      <title>Something went wrong · Parley</title>
      <EmptyState
        kind="failed"
        size="page"
        announce="alert"
        title="Something went wrong on this page"
        text="Nothing that was sent is lost."
      >
        <Button variant="primary" onClick={() => (isWithoutScripts(error) ? reload() : reset())}>
          Try again
        </Button>
      </EmptyState>
    </>
  );
};
export default ErrorPage;
