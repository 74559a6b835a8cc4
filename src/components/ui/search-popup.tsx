"use client";
import { Combobox as Base } from "@base-ui/react/combobox";
import { Check, Search } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { isTouchDevice } from "./text-focus";

type SearchPopupProps<Item> = Pick<
  ComponentProps<typeof Base.Positioner>,
  "anchor" | "side" | "align"
> &
  Pick<ComponentProps<typeof Base.Popup>, "finalFocus" | "ref"> & {
    /** The name of the list; "Models" is searched by "Search models". */
    label: string;
    /** What is said when nothing fits. */
    empty: string;
    children: (item: Item) => ReactNode;
  };

/** A list that opens with a field to search in it; the popup of a `Combobox.Root`. */
export const SearchPopup = <Item,>(props: SearchPopupProps<Item>) => {
  const { label, empty, children, ref, finalFocus, ...position } = props;
  const search = `Search ${label.toLowerCase()}`;
  return (
    <Base.Portal>
      <Base.Positioner {...position} sideOffset={6} className="z-50 outline-none">
        <Base.Popup
          ref={ref}
          aria-label={label}
          // The on-screen keyboard would cover the list.
          initialFocus={() => !isTouchDevice()}
          finalFocus={finalFocus}
          className="flex max-h-[min(24rem,var(--available-height))] w-80 max-w-[calc(100vw-1rem)] flex-col overflow-hidden rounded-lg border border-border bg-raised text-text shadow-popup outline-none"
        >
          <div className="flex shrink-0 items-center gap-2 border-b px-3 text-muted">
            <Search aria-hidden size={15} className="shrink-0" />
            <Base.Input
              aria-label={search}
              placeholder={search}
              className="h-10 min-w-0 flex-1 bg-transparent text-sm text-text outline-none pointer-coarse:text-base"
            />
          </div>
          <Base.Empty className="px-3 py-3 text-sm text-muted empty:hidden">{empty}</Base.Empty>
          <Base.List
            aria-label={label}
            className="min-h-0 overflow-y-auto overscroll-contain p-1 empty:hidden"
          >
            {children}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
};

type SearchItemProps<Item> = {
  value: Item;
  title: string;
  /** Smaller, below the title. */
  detail: string;
  /** At the end. */
  mark?: ReactNode;
};

/** An item of such a list, with a check mark if it is chosen. */
export const SearchItem = <Item,>({ value, title, detail, mark }: SearchItemProps<Item>) => (
  <Base.Item
    value={value}
    className="flex cursor-default items-start gap-2 rounded-sm px-2 py-1.5 text-sm outline-none select-none data-highlighted:bg-hover pointer-coarse:py-3"
  >
    <span className="mt-0.5 flex size-4 shrink-0 text-accent">
      <Base.ItemIndicator>
        <Check aria-hidden size={16} />
      </Base.ItemIndicator>
    </span>
    <span className="grid min-w-0 flex-1">
      <span translate="no" className="font-medium wrap-anywhere">
        {title}
      </span>
      <span className="text-xs text-pretty text-muted empty:hidden">{detail}</span>
    </span>
    {mark}
  </Base.Item>
);

/** Whether each word of a query is a part of a text. */
export const containsWords = (text: string, query: string): boolean => {
  const words = query.toLowerCase().split(/\s+/);
  return words.every((word) => text.toLowerCase().includes(word));
};
