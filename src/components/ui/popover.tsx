"use client";
import type { PopoverProps } from "./open-popover";
import { PopupTrigger } from "./popup-trigger";
import { importPart } from "@/lib/import-part";

const loadPopover = () => importPart(() => import("./open-popover"));

/** Details that open from a button. */
export const Popover = (props: PopoverProps) => (
  <PopupTrigger kind="dialog" trigger={props.trigger} load={loadPopover} popupProps={props} />
);
