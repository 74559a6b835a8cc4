const MAX_WORDS = 8;
const MAX_LENGTH = 80;

/** The opening tag may be part of the prompt, by which the thought is not known as reasoning. */
const THOUGHT = /^[^]*<\/think(?:ing)?>/i;

/** Extracts a title from a model's answer, which is JSON as requested or plain text. */
export const normalizeTitle = (whole: string): string => {
  const answer = whole.replace(THOUGHT, "");
  const plain = (parseTitleField(answer) ?? findFirstLine(answer))
    .toWellFormed()
    .replace(/\p{Cc}+/gu, " ")
    .replace(/^[\s#*_`"'“”„«»]*(?:title\s*:)?[\s*_`"'“”„«»]*/iu, "")
    .replace(/(?<![\s*_`"'“”«».。])[\s*_`"'“”«».。]+$/u, "");
  const words = plain.split(/\s+/).filter(Boolean).slice(0, MAX_WORDS).join(" ");
  return Array.from(words).slice(0, MAX_LENGTH).join("").trim();
};

const parseTitleField = (answer: string): string | undefined => {
  const json = answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1);
  if (!json.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    const title = typeof value === "object" && value && "title" in value ? value.title : undefined;
    return typeof title === "string" ? title : "";
  } catch {
    // Braces in plain text.
    return undefined;
  }
};

const findFirstLine = (answer: string): string =>
  answer.split("\n").find((line) => /[\p{L}\p{N}]/u.test(line) && !line.startsWith("```")) ?? "";
