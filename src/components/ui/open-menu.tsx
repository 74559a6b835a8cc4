"use client";
import { Menu as Base } from "@base-ui/react/menu";
import { clsx } from "clsx";
import { Check } from "lucide-react";
import { type FocusEvent, type ReactElement, useRef } from "react";
import { MenuIcon, type MenuIconName } from "./menu-icon";
import { type PageShortcut, toKeyText } from "./shortcuts";
import type { OpenedPopup } from "./popup-trigger";

export type MenuItem =
  | {
      kind: "item";
      label: string;
      icon?: MenuIconName;
      onSelect: () => void;
      /** Shown beside the label. */
      shortcut?: PageShortcut;
      isDestructive?: boolean;
      disabled?: boolean;
    }
  | {
      kind: "switch";
      label: string;
      checked: boolean;
      onChange: (checked: boolean) => void;
      disabled?: boolean;
    }
  | {
      kind: "choice";
      /** What is chosen, for screen readers. */
      label: string;
      value: string;
      options: readonly (readonly [value: string, label: string])[];
      onChange: (value: string) => void;
    }
  | { kind: "link"; label: string; href: string }
  | { kind: "separator" }
  | { kind: "heading"; label: string };

export type MenuProps = {
  /** A button with an accessible name. */
  trigger: ReactElement;
  items: readonly MenuItem[];
  align?: "start" | "end";
  side?: "top" | "bottom";
  onOpenChange?: (open: boolean) => void;
};

const ROW =
  "flex cursor-default items-center gap-2 rounded-sm px-2 py-1.5 text-sm outline-none select-none data-highlighted:bg-hover data-disabled:opacity-50 pointer-coarse:py-3";

/** A menu that is open at first, and its button. */
const OpenMenu = (props: MenuProps & OpenedPopup) => {
  const { trigger, items, align = "end", side = "bottom", onOpenChange } = props;
  const { openedBy, buttonRef, popupRef, findFinalFocus } = props;
  const isAtStart = useRef(openedBy === "click");
  const goToStart = ({ currentTarget }: FocusEvent): void => {
    if (isAtStart.current) return;
    isAtStart.current = true;
    const items = [...currentTarget.querySelectorAll<HTMLElement>("[role^=menuitem]")];
    items.at(openedBy === "first" ? 0 : -1)?.focus();
  };
  return (
    <Base.Root
      defaultOpen
      modal={false}
      {...(onOpenChange && { onOpenChange: (open: boolean) => onOpenChange(open) })}
    >
      <Base.Trigger ref={buttonRef} render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={4} className="z-50 outline-none">
          <Base.Popup
            ref={popupRef}
            finalFocus={findFinalFocus}
            onFocus={goToStart}
            className="max-h-(--available-height) max-w-72 min-w-44 overflow-y-auto rounded-lg border border-border bg-raised p-1 text-text shadow-popup outline-none"
          >
            {items.map((item, index) => (
              <MenuRow key={index} item={item} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
};

export default OpenMenu;

const MenuRow = ({ item }: { item: MenuItem }) => {
  switch (item.kind) {
    case "separator":
      return <Base.Separator className="mx-1 my-1 h-px bg-border" />;
    case "heading":
      return <p className="truncate px-2 py-1.5 text-xs text-muted">{item.label}</p>;
    case "switch":
      return (
        <Base.CheckboxItem
          checked={item.checked}
          onCheckedChange={item.onChange}
          disabled={item.disabled ?? false}
          className={ROW}
        >
          <span className="flex size-[15px] shrink-0">
            <Base.CheckboxItemIndicator>
              <Check aria-hidden size={15} />
            </Base.CheckboxItemIndicator>
          </span>
          {item.label}
        </Base.CheckboxItem>
      );
    case "choice":
      return <Choice {...item} />;
    case "link":
      return (
        <Base.LinkItem href={item.href} className={ROW}>
          {item.label}
        </Base.LinkItem>
      );
    case "item":
      return (
        <Base.Item
          onClick={item.onSelect}
          disabled={item.disabled ?? false}
          className={clsx(ROW, item.isDestructive && "text-danger data-highlighted:bg-danger-soft")}
        >
          {item.icon && <MenuIcon name={item.icon} />}
          {item.label}
          {item.shortcut && (
            <kbd aria-hidden className="ml-auto pl-4 font-sans text-xs text-muted">
              {toKeyText(item.shortcut)}
            </kbd>
          )}
        </Base.Item>
      );
  }
};

const Choice = ({ label, value, options, onChange }: Extract<MenuItem, { kind: "choice" }>) => (
  <Base.RadioGroup
    aria-label={label}
    value={value}
    onValueChange={(next: string) => onChange(next)}
  >
    {options.map(([option, name]) => (
      <Base.RadioItem key={option} value={option} closeOnClick className={ROW}>
        <span className="flex size-[15px] shrink-0">
          <Base.RadioItemIndicator>
            <Check aria-hidden size={15} />
          </Base.RadioItemIndicator>
        </span>
        {name}
      </Base.RadioItem>
    ))}
  </Base.RadioGroup>
);
