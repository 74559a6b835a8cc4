const CLOSING = /<\/think(?:ing)?>/i;
/** Longest closing tag, in characters. */
const MAX_TAG_LENGTH = "</thinking>".length;

/**
 * Creates a function that finds the end of a thought whose opening tag was part of the prompt, as the chat templates of some
 * models have it. It takes each piece of the answer, and all of it so far.
 *
 * @returns what stood before the tag, and what stands after it.
 */
export const createThoughtEndFinder = () => {
  /** The end of what was read, which may be the beginning of a tag. */
  let tail = "";
  return (
    piece: string,
    getText: () => string,
  ): { reasoning: string; text: string } | undefined => {
    const recent = tail + piece;
    tail = recent.slice(-MAX_TAG_LENGTH + 1);
    if (!CLOSING.test(recent)) return undefined;
    const whole = getText();
    const closing = CLOSING.exec(whole);
    if (!closing || isAboutTags(whole.slice(0, closing.index))) return undefined;
    return {
      reasoning: whole.slice(0, closing.index).trimEnd(),
      text: whole.slice(closing.index + closing[0].length),
    };
  };
};

/** An answer about such tags quotes them as code, or has the opening one too. */
const isAboutTags = (before: string): boolean =>
  before.split("`").length % 2 === 0 || /<think/i.test(before);
