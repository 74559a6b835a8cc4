"use client";
import { lazy } from "react";
import type { MenuProps } from "./open-menu";
import { PopupTrigger } from "./popup-trigger";
import { importPart } from "./import-part";

const loadMenu = () => importPart(() => import("./open-menu"));
const OpenMenu = lazy(loadMenu);

/** A menu of actions that opens from a button. */
export const Menu = (props: MenuProps) => (
  <PopupTrigger
    popup="menu"
    trigger={props.trigger}
    onLoad={loadMenu}
    onOpen={() => props.onOpenChange?.(true)}
  >
    {(start) => <OpenMenu {...props} start={start} />}
  </PopupTrigger>
);
