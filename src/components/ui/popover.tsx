"use client";
import { lazy } from "react";
import type { PopoverProps } from "./open-popover";
import { PopupTrigger } from "./popup-trigger";
import { importPart } from "./import-part";

const loadPopover = () => importPart(() => import("./open-popover"));
const OpenPopover = lazy(loadPopover);

/** Details that open from a button. */
export const Popover = (props: PopoverProps) => (
  <PopupTrigger popup="dialog" trigger={props.trigger} onLoad={loadPopover}>
    {() => <OpenPopover {...props} />}
  </PopupTrigger>
);
