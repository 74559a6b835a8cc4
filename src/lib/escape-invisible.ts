/** Control characters but tab and newline, format characters such as those that reorder a text, and odd line ends. */
const INVISIBLE = /[^\P{C}\t\n]|[\u2028\u2029\u115F\u1160\u3164\uFFA0]/gu;

/** Shows characters that a reader cannot see by their codes, such as `\\u{202e}`. */
export const escapeInvisible = (text: string): string =>
  text.replace(INVISIBLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
