/**
 * Characters, line starts and addresses that may be markdown. Text without them is rendered the same as paragraphs,
 * so a false match only loads the renderer.
 */
const SYNTAX =
  /[*_`~[\]<>|\\&$]|^ {0,3}(?:#|[-+] |\d{1,9}[.)](?:\s|$)|[-=+]+\s*$)|^(?: {4}|\t)| {2}\n|https?:|www\.|\S@\S/m;

/** Whether a text has markup, so that it needs the markdown renderer. */
export const needsMarkdown = (text: string): boolean => SYNTAX.test(text);
