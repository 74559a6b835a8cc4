const MAX_WORDS = 6;

/** Creates a title from the first words of a message. */
export const createTitle = (message: string): string => {
  const words = message.match(/[\p{L}\p{N}][\p{L}\p{N}'_-]*/gu) ?? [];
  const title = words.slice(0, MAX_WORDS).join(" ");
  return title === "" ? "New chat" : title.charAt(0).toUpperCase() + title.slice(1);
};
