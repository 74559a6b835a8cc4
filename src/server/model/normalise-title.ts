const MAX_WORDS = 8;
const MAX_LENGTH = 80;

/** A title out of a model's answer, be it the JSON that was asked for or a line of text. */
export const normaliseTitle = (answer: string): string => {
  const plain = (titleField(answer) ?? firstLine(answer))
    .toWellFormed()
    .replace(/\p{Cc}+/gu, " ")
    .replace(/^[\s#*_`"'“”„«»]*(?:title\s*:)?[\s*_`"'“”„«»]*/iu, "")
    .replace(/[\s*_`"'“”«».。]+$/u, "");
  const words = plain.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS).join(" ");
  return Array.from(words).slice(0, MAX_LENGTH).join("").trim();
};

const titleField = (answer: string): string | undefined => {
  const json = /\{[^]*\}/.exec(answer)?.[0];
  if (json === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    const title = typeof value === "object" && value && "title" in value ? value.title : undefined;
    return typeof title === "string" ? title : "";
  } catch {
    // Braces in a sentence are no JSON.
    return undefined;
  }
};

const firstLine = (answer: string): string =>
  answer.split("\n").find((line) => /[\p{L}\p{N}]/u.test(line) && !line.startsWith("```")) ?? "";
