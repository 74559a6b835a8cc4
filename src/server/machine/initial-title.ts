import type { UserContent } from "@/contract/content";

/** Words of the first message that are the title until one is generated. */
const TITLE_WORDS = 6;
/** Code points; a longer title does not fit a row of the sidebar. */
const MAX_TITLE_LENGTH = 80;

/** The first words of a text, with an ellipsis where it was cut. */
export const toInitialTitle = (text: string): string => {
  const words = text.trim().split(/\s+/u, TITLE_WORDS + 1);
  const joined = words.slice(0, TITLE_WORDS).join(" ");
  const points = [...joined];
  if (points.length > MAX_TITLE_LENGTH) return `${points.slice(0, MAX_TITLE_LENGTH - 1).join("")}…`;
  return words.length > TITLE_WORDS ? `${joined}…` : joined;
};

/** As `toInitialTitle`, of a message; of its files if it has no text. */
export const toContentTitle = (content: UserContent): string => {
  const texts = content.flatMap((part) => (part.type === "text" ? part.text : []));
  const names = content.flatMap((part) => (part.type === "file" ? part.name : []));
  return toInitialTitle((texts.length > 0 ? texts : names).join(" "));
};
