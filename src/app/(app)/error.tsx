"use client";
import { useEffect } from "react";
import { Button } from "@/components/ui/button";

type ErrorPageProps = { error: Error; reset: () => void };

const ErrorPage = ({ error, reset }: ErrorPageProps) => {
  // Syncs with the browser's error log, which errors caught by React do not reach.
  useEffect(() => reportError(error), [error]);
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-4 px-4 text-center">
      <title>Something went wrong · Parley</title>
      <div role="alert">
        <h1 className="text-lg font-semibold">Something went wrong on this page</h1>
        <p className="mt-1 text-muted">Nothing that was sent is lost.</p>
      </div>
      <Button variant="primary" onClick={reset}>
        Try again
      </Button>
    </div>
  );
};
export default ErrorPage;
