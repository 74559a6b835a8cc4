"use client";
import type { MenuProps } from "./open-menu";
import { PopupTrigger } from "./popup-trigger";
import { importPart } from "@/lib/import-part";

const loadMenu = () => importPart(() => import("./open-menu"));

/** A menu of actions that opens from a button. */
export const Menu = (props: MenuProps) => (
  <PopupTrigger
    kind="menu"
    trigger={props.trigger}
    load={loadMenu}
    onOpen={() => props.onOpenChange?.(true)}
    popupProps={props}
  />
);
