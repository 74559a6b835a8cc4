"use client";
import { lazy, Suspense } from "react";
import type { ConfirmDialogProps } from "./open-confirm-dialog";
import { useHasBeenTrue } from "./use-has-been-true";
import { importPart } from "@/lib/import-part";

const OpenConfirmDialog = lazy(() => importPart(() => import("./open-confirm-dialog")));

/** Asks before an action; the button that dismisses the question has the initial focus. */
export const ConfirmDialog = (props: ConfirmDialogProps) =>
  useHasBeenTrue(props.open) && (
    <Suspense>
      <OpenConfirmDialog {...props} />
    </Suspense>
  );
