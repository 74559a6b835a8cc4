"use client";
import { clsx } from "clsx";
import { Search } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Modal, type ModalHandle } from "@/components/ui/modal";
import { isShortcut, type PageShortcut, SHORTCUTS, toKeyText } from "@/components/ui/shortcuts";
import { isComposing } from "@/components/ui/text-focus";
import { MAX_SEARCH_LENGTH } from "@/contract/limits";

export type PaletteItem = {
  /** Unique in the palette. */
  key: string;
  label: string;
  /** Smaller, below the label. */
  detail?: string | undefined;
  icon?: ReactNode;
  shortcut?: PageShortcut | undefined;
  onSelect: () => void;
};

export type PaletteGroup = { heading: string; items: readonly PaletteItem[] };

type PaletteProps = {
  query: string;
  onQueryChange: (query: string) => void;
  /** What fits the query. */
  groups: readonly PaletteGroup[];
  /** Whether more may come. */
  isLoading: boolean;
  /** Why some could not be found. */
  error?: string | undefined;
  onClose: () => void;
};

/** A field that finds chats, actions and settings. The focus stays in the field; the active option is named to it. */
export const Palette = ({
  query,
  onQueryChange,
  groups,
  isLoading,
  error,
  onClose,
}: PaletteProps) => {
  const listId = useId();
  const modal = useRef<ModalHandle>(null);
  const items = groups.flatMap((group) => group.items);
  /** The focus is back on the page when the action runs, which may move it. */
  const select = (item: PaletteItem): void => {
    modal.current?.close();
    item.onSelect();
  };
  const { active, activate, move } = useActiveItem(items, query);
  const onKeyDown = (event: KeyboardEvent): void => {
    const action = toAction(event);
    if (action === undefined) return;
    event.preventDefault();
    if (action === "close") modal.current?.close();
    else if (action !== "select") move(action);
    else if (active) select(active);
  };
  return (
    <Modal
      ref={modal}
      label="Find chats, actions and settings"
      onClose={onClose}
      onKeyDown={onKeyDown}
    >
      <div className="flex min-h-0 w-full min-w-0 flex-col">
        <Field
          query={query}
          onQueryChange={onQueryChange}
          listId={listId}
          activeKey={active?.key}
        />
        <div
          id={listId}
          role="listbox"
          aria-label="Results"
          className="min-h-0 flex-1 overflow-y-auto p-1.5"
        >
          {groups.map((group) => (
            <Group
              key={group.heading}
              listId={listId}
              {...group}
              activeKey={active?.key}
              onActivate={activate}
              onSelect={select}
            />
          ))}
        </div>
        <Status count={items.length} isLoading={isLoading} error={error} query={query} />
      </div>
    </Modal>
  );
};

/** @returns by how many items to move, or what to do; undefined for keys of the field, and of an input method. */
const toAction = (event: KeyboardEvent): "close" | "select" | 1 | -1 | undefined => {
  if (isComposing(event)) return undefined;
  if (isShortcut(event, SHORTCUTS.everywhere["open-palette"])) return "close";
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return undefined;
  return ACTIONS[event.key];
};

const ACTIONS: Readonly<Record<string, ReturnType<typeof toAction>>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  Enter: "select",
};

type FieldProps = Pick<PaletteProps, "query" | "onQueryChange"> & {
  listId: string;
  activeKey: string | undefined;
};

const Field = ({ query, onQueryChange, listId, activeKey }: FieldProps) => (
  <div className="relative border-b">
    <Search
      aria-hidden
      size={16}
      className="pointer-events-none absolute inset-y-0 left-4 my-auto text-muted"
    />
    <input
      type="text"
      role="combobox"
      aria-label="Chats, actions and settings"
      aria-expanded
      aria-controls={listId}
      aria-autocomplete="list"
      aria-activedescendant={activeKey && `${listId}-${activeKey}`}
      placeholder="Find chats, actions and settings"
      autoComplete="off"
      spellCheck={false}
      maxLength={MAX_SEARCH_LENGTH}
      value={query}
      onChange={({ target }) => onQueryChange(target.value)}
      className="h-13 w-full bg-transparent pr-4 pl-12 text-base outline-none pointer-coarse:text-[1rem]"
    />
  </div>
);

/** The first item of a query is active until the person goes to another one. */
const useActiveItem = (items: readonly PaletteItem[], query: string) => {
  const [choice, setChoice] = useState({ query, key: "" });
  const chosen = choice.query === query ? items.findIndex(({ key }) => key === choice.key) : -1;
  const index = Math.max(0, chosen);
  const activate = (item: PaletteItem | undefined): void => {
    if (item) setChoice({ query, key: item.key });
  };
  return {
    active: items[index],
    activate,
    /** Goes on at the other end. */
    move: (by: number): void => activate(items.at((index + by) % items.length)),
  };
};

type OptionActions = {
  onActivate: (item: PaletteItem) => void;
  onSelect: (item: PaletteItem) => void;
};

type GroupProps = PaletteGroup & OptionActions & { listId: string; activeKey: string | undefined };

const Group = ({ listId, heading, items, activeKey, ...actions }: GroupProps) => {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <p id={id} className="px-2 pt-2 pb-1 text-xs font-medium text-muted">
        {heading}
      </p>
      {items.map((item) => (
        <Option
          key={item.key}
          id={`${listId}-${item.key}`}
          item={item}
          isActive={item.key === activeKey}
          {...actions}
        />
      ))}
    </div>
  );
};

type OptionProps = OptionActions & { id: string; item: PaletteItem; isActive: boolean };

const Option = ({ id, item, isActive, onActivate, onSelect }: OptionProps) => {
  const option = useRef<HTMLDivElement>(null);
  // Syncs with the scroll position of the list.
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  return (
    <div
      ref={option}
      id={id}
      role="option"
      aria-selected={isActive}
      // Pressing it would take the focus from the field.
      onMouseDown={(event) => event.preventDefault()}
      // The list may scroll below a pointer that rests.
      onMouseMove={() => !isActive && onActivate(item)}
      onClick={() => onSelect(item)}
      className={clsx(
        "flex min-h-9 min-w-0 cursor-default items-center gap-2 rounded-md px-2 py-1.5 text-sm pointer-coarse:min-h-11",
        isActive && "bg-hover",
      )}
    >
      <span className="grid size-4 shrink-0 place-items-center text-muted">{item.icon}</span>
      <span className="min-w-0 flex-1">
        <span className="block truncate">{item.label}</span>
        {item.detail !== undefined && (
          <span className="block truncate text-xs text-muted">{item.detail}</span>
        )}
      </span>
      {item.shortcut && (
        <kbd className="shrink-0 font-sans text-xs text-muted">{toKeyText(item.shortcut)}</kbd>
      )}
    </div>
  );
};

type StatusProps = Pick<PaletteProps, "isLoading" | "error" | "query"> & { count: number };

/** Says what the list cannot; it also announces how many options there are. */
const Status = ({ count, isLoading, error, query }: StatusProps) => {
  const text =
    error ?? (isLoading ? "Searching…" : count === 0 ? `Nothing found for “${query}”` : undefined);
  return (
    <p
      role="status"
      className={clsx(text === undefined ? "sr-only" : "border-t px-4 py-3 text-sm text-muted")}
    >
      {text ?? `${count} ${count === 1 ? "result" : "results"}`}
    </p>
  );
};
