/** A browser puts the caret before a text that is there from the start; people go on after it. */
export const caretToEnd = (area: HTMLTextAreaElement): void =>
  area.setSelectionRange(area.value.length, area.value.length);
