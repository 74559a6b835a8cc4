"use client";
import { lazy, Suspense } from "react";
import type { DrawerProps } from "./open-drawer";
import { useHasBeenTrue } from "./use-has-been-true";
import { importPart } from "@/lib/import-part";

const OpenDrawer = lazy(() => importPart(() => import("./open-drawer")));

/** A dialog that slides in from a side of the screen. */
export const Drawer = (props: DrawerProps) =>
  useHasBeenTrue(props.open) && (
    <Suspense>
      <OpenDrawer {...props} />
    </Suspense>
  );
