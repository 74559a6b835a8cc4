import { flushSync } from "react-dom";

/** Attributes of an element that is added, moved, removed or replaced as a whole. */
export const FORM_ITEM = { "data-form-item": "" };
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

/** Replaces the item of a button and focuses the first control of the replacement. */
export const replaceItem = (button: HTMLElement, replace: () => void): void => {
  const item = findItem(button);
  const previous = item?.previousElementSibling;
  const parent = item?.parentElement;
  flushSync(replace);
  focusFirstControl(previous ? previous.nextElementSibling : parent?.firstElementChild);
};

/** Moves the item of a button and keeps the focus; a disabled button passes it to another one. */
export const moveItem = (button: HTMLButtonElement, move: () => void): void => {
  const { parentElement: toolbar } = button;
  flushSync(move);
  const next = button.disabled ? toolbar?.querySelector("button:enabled") : button;
  if (next instanceof HTMLElement) next.focus();
};
