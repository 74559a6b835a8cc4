import { flushSync } from "react-dom";

/** Marks what is added, moved, removed or replaced as one, for the functions below to find it. */
export const PART = { "data-part": "" };
const partOf = (button: HTMLElement) => button.closest("[data-part]");

/** To where somebody goes on who pressed a button that added this. */
export const focusFirstControl = (place: Element | null | undefined): void => {
  const control = place?.querySelector<HTMLElement>("input, textarea, select, button");
  control?.focus();
  if (control instanceof HTMLInputElement) control.select();
};

/** Removes the part that the button is in, and goes to the same button of its neighbour. */
export const removePart = (button: HTMLElement, remove: () => void): void => {
  const part = partOf(button);
  const place =
    part?.nextElementSibling ?? part?.previousElementSibling ?? part?.closest("fieldset");
  flushSync(remove);
  [...(place?.querySelectorAll<HTMLElement>("button:enabled") ?? [])].at(-1)?.focus();
};

/** Puts something else in place of the part that the button is in, and goes into it. */
export const replacePart = (button: HTMLElement, replace: () => void): void => {
  const part = partOf(button);
  const before = part?.previousElementSibling;
  const around = part?.parentElement;
  flushSync(replace);
  focusFirstControl(before ? before.nextElementSibling : around?.firstElementChild);
};

/** Moves the part that the button is in; at the end of its way another of its buttons takes over. */
export const movePart = (button: HTMLButtonElement, move: () => void): void => {
  const { parentElement: toolbar } = button;
  flushSync(move);
  const next = button.disabled ? toolbar?.querySelector("button:enabled") : button;
  if (next instanceof HTMLElement) next.focus();
};
