import type { KeyboardEvent } from "react";
import { isShortcut, SHORTCUTS } from "@/components/ui/shortcuts";

const KEYS = SHORTCUTS["chat-list"];

/**
 * Handles the keys of a row, which is one stop of the Tab key: its actions and the other rows are reached from its link.
 * Events of the row's menu, which is elsewhere in the document, bubble here too; they are ignored.
 */
export const handleRowKey = (event: KeyboardEvent<HTMLElement>): void => {
  const { target, currentTarget: row } = event;
  const link = row.querySelector("a");
  const button = row.querySelector("button");
  if (target !== link && target !== button) return;
  const next = target === link ? findTarget(event, button) : isLeft(event) && link;
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
  if (isMenuKey(event)) {
    suppressBrowserMenu();
    button?.click();
  }
};

const isLeft = ({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean =>
  key === "ArrowLeft" && !ctrlKey && !metaKey && !shiftKey && !altKey;

const isMenuKey = (event: KeyboardEvent): boolean =>
  event.key === "ContextMenu" || isShortcut(event, KEYS["row-menu"]);

const findTarget = (
  event: KeyboardEvent<HTMLElement>,
  button: HTMLElement | null,
): HTMLElement | null | undefined => {
  if (isMenuKey(event) || isShortcut(event, KEYS["row-actions"])) return button;
  const row = event.currentTarget;
  const rows = [...(row.closest("nav")?.querySelectorAll<HTMLElement>("[data-chat-row]") ?? [])];
  const index = rows.indexOf(row);
  const findLink = (next: HTMLElement | undefined) => next?.querySelector("a");
  if (isShortcut(event, KEYS["previous-row"])) return findLink(rows[index - 1]);
  if (isShortcut(event, KEYS["next-row"])) return findLink(rows[index + 1]);
  if (isShortcut(event, KEYS["first-row"])) return findLink(rows[0]);
  if (isShortcut(event, KEYS["last-row"])) return findLink(rows.at(-1));
  return undefined;
};

/** Some systems open the browser's menu when the key is released, when the focus is in the menu of the row. */
const suppressBrowserMenu = (): void => {
  const controller = new AbortController();
  const { signal } = controller;
  const end = (): void => controller.abort();
  window.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
  window.addEventListener("pointerdown", end, { signal, capture: true });
  window.addEventListener("keydown", end, { signal, capture: true });
};
