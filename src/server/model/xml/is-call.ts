/** The root of a block must come in so many characters. */
export const MAX_HEAD = 1_000;
const PROLOG = /^(?:\s|<!--[^]*?-->|<\?[^]*?\?>|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>)*/i;
/** The third form is that of other applications, whose calls have no attributes: it is answered with the right one. */
const ROOTS = [
  /^<tools(?:\s[^<>]*|\/)?>/,
  /^<tool\s(?:[^<>]*\s)?name\s*=\s*["']\s*[^\s"'<>][^<>]*>/,
  /^<tool(?:\s[^<>]*)?>\s*(?:<name>[^<]*<\/name>\s*)?<parameters[\s/>]/,
];
const ROOT_START = /^<tools?(?:\s[^<>]*|\/)?$/;
const UNDECIDED =
  /^(?:<(?:[!?][^]*|t|to|too)?|<tool(?:\s[^<>]*)?>\s*(?:<name>[^<]*(?:<\/name>\s*)?)?(?:<\/?\w*)?)?$/;

/**
 * Decides whether a block of code tagged xml is one of calls, which may yet be malformed; any other is text.
 *
 * @param hasEnded whether the answer has ended with the block.
 * @returns undefined while this depends on what follows.
 */
export const isCall = (xml: string, hasEnded = false): boolean | undefined => {
  const head = xml.slice(0, MAX_HEAD);
  const root = head.slice(PROLOG.exec(head)?.[0].length);
  if (ROOTS.some((form) => form.test(root))) return true;
  const isCut = ROOT_START.test(root);
  if (hasEnded) return isCut;
  return (isCut || UNDECIDED.test(root)) && xml.length < MAX_HEAD ? undefined : false;
};
