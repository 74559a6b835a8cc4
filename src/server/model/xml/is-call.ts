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

const WORD = /^<\w+(?:\s[^<>]*)?\sword\s*=\s*["']([^"'<>]*)["']/;

/**
 * Decides whether a block of code tagged xml has the form of calls, which may yet be malformed; any other is text.
 *
 * @param hasEnded whether the answer has ended with the block.
 * @returns undefined while this depends on what follows.
 */
export const isCall = (xml: string, hasEnded = false): boolean | undefined => {
  const root = findRoot(xml);
  if (ROOTS.some((form) => form.test(root))) return true;
  const isCut = ROOT_START.test(root);
  if (hasEnded) return isCut;
  return (isCut || UNDECIDED.test(root)) && xml.length < MAX_HEAD ? undefined : false;
};

/** Whether the root of a block has the word of its chat, which a text that was read does not know. Without one, it is "". */
export const hasWord = (xml: string, word: string): boolean =>
  (WORD.exec(findRoot(xml))?.[1]?.trim() ?? "") === word;

const findRoot = (xml: string): string => {
  const head = xml.slice(0, MAX_HEAD);
  return head.slice(PROLOG.exec(head)?.[0].length);
};
