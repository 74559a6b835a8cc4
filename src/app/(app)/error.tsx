"use client";
import { useEffect } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { renderAgain } from "@/components/ui/failure-boundary";

type ErrorPageProps = { error: Error; reset: () => void };

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
        <Button variant="primary" onClick={() => renderAgain(error, reset)}>
          Try again
        </Button>
      </EmptyState>
    </>
  );
};
export default ErrorPage;
