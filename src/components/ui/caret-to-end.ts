/** A browser puts the caret before a text that is there from the start; people go on after it. */
export const caretToEnd = (area: HTMLTextAreaElement): void => {
  const { selectionStart, selectionEnd, value } = area;
  // Whoever has selected something means to write over it.
  if (selectionStart === 0 && selectionEnd === 0)
    area.setSelectionRange(value.length, value.length);
};
