/** Words of a first message that name a chat until it has a title. */
const WORDS = 6;
/** Code points; longer would not fit a sidebar row. */
const MAX_LENGTH = 80;

/** The first words of a text, with an ellipsis where it was cut. */
export const firstWords = (text: string): string => {
  const words = text.trim().split(/\s+/u, WORDS + 1);
  const joined = words.slice(0, WORDS).join(" ");
  const points = [...joined];
  if (points.length > MAX_LENGTH) return `${points.slice(0, MAX_LENGTH - 1).join("")}…`;
  return words.length > WORDS ? `${joined}…` : joined;
};
