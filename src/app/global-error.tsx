"use client";
import { useEffect } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { FONT_CLASSES } from "./fonts";
import "./globals.css";

type GlobalErrorProps = { error: Error; reset: () => void };

/** Replaces the whole document when the frame of all pages fails. */
const GlobalError = ({ error }: GlobalErrorProps) => {
  // Syncs with the browser's error log, which errors caught by React do not reach.
  useEffect(() => reportError(error), [error]);
  return (
    <html lang="en" className={FONT_CLASSES}>
      <body>
        <main className="flex min-h-dvh flex-col">
          <title>Something went wrong · Parley</title>
          <EmptyState
            kind="failed"
            size="page"
            announce="alert"
            title="Parley could not show this page"
            text="Nothing that was sent is lost. If it happens again, the server may be restarting."
          >
            <Button variant="primary" onClick={() => window.location.reload()}>
              Load the page again
            </Button>
          </EmptyState>
        </main>
      </body>
    </html>
  );
};
export default GlobalError;
