import type { KeyboardEvent } from "react";

/**
 * Whether the main pointer is a finger. Focusing a field then opens the on-screen keyboard, so only
 * a tap should focus one.
 */
export const isTouchDevice = (): boolean => window.matchMedia("(pointer: coarse)").matches;

/** Moves the caret to the end of the text; browsers put it before an initial text. */
export const moveCaretToEnd = (area: HTMLTextAreaElement): void => {
  const { selectionStart, selectionEnd, value } = area;
  // Leave a selection alone: typing should replace it.
  if (selectionStart === 0 && selectionEnd === 0)
    area.setSelectionRange(value.length, value.length);
};

/**
 * Whether a key belongs to an input method that composes a character. Safari ends the composition before the key that
 * ended it, which it reports as 229.
 */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229;

/**
 * What Enter does in the field of a message. The keyboard of a touch screen has no Shift+Enter, so that Enter is a new
 * line there, and only a keyboard that is attached to the device sends, with Ctrl or Cmd.
 *
 * @returns undefined for another key, a new line, and what an input method composes.
 */
export const readEnter = (event: KeyboardEvent): "send" | "send-now" | undefined => {
  if (event.key !== "Enter" || event.shiftKey || event.altKey || isComposing(event))
    return undefined;
  const hasModifier = event.ctrlKey || event.metaKey;
  if (isTouchDevice()) return hasModifier ? "send" : undefined;
  return hasModifier ? "send-now" : "send";
};

/** Replaces a piece of a text field as a person does, so that they can undo it. The caret is behind it then. */
export const replaceText = (
  area: HTMLTextAreaElement,
  { start, end, text }: { start: number; end: number; text: string },
): void => {
  area.focus();
  area.setSelectionRange(start, end);
  if (document.execCommand(text === "" ? "delete" : "insertText", false, text)) return;
  area.setRangeText(text, start, end, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
};

/** Whether a text field has the focus; on a slow device a person may type before the page is hydrated. */
export const isTyping = (): boolean =>
  document.activeElement?.matches("input, textarea, [contenteditable]") ?? false;
