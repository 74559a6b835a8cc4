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

/** Whether a text field has the focus; on a slow device a person may type before the page is hydrated. */
export const isTyping = (): boolean =>
  document.activeElement?.matches("input, textarea, [contenteditable]") ?? false;
