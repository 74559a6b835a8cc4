import { flushSync } from "react-dom";

/** Attributes of an element that is added, moved or removed as a whole. */
export const FORM_ITEM = { "data-form-item": "" };
/** Attributes of the element with the buttons that move and remove an item. */
export const ITEM_ACTIONS = { "data-item-actions": "" };
const findItem = (button: HTMLElement) => button.closest("[data-form-item]");

/** Focuses the first control of an element that was just added. */
export const focusFirstControl = (container: Element | null | undefined): void => {
  const control = container?.querySelector<HTMLElement>("input, textarea, select, button");
  control?.focus();
  if (control instanceof HTMLInputElement) control.select();
};

/** Removes the item of a button and focuses the same button of the next or previous item. */
export const removeItem = (button: HTMLElement, remove: () => void): void => {
  const item = findItem(button);
  const neighbor =
    item?.nextElementSibling ?? item?.previousElementSibling ?? item?.closest("fieldset");
  flushSync(remove);
  [...(neighbor?.querySelectorAll<HTMLElement>("button:enabled") ?? [])].at(-1)?.focus();
};

/** Moves the item of a button and keeps the focus; a disabled button passes it to another one. */
export const moveItem = (button: HTMLButtonElement, move: () => void): void => {
  const actions = button.closest("[data-item-actions]");
  flushSync(move);
  const next = button.disabled ? actions?.querySelector("button:enabled") : button;
  if (next instanceof HTMLElement) next.focus();
};
