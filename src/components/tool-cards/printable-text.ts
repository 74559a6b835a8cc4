/** Titles and links of terminals, and sequences that neither color nor style. */
const NOT_SGR =
  /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[\d;:?<=>]*[ -/]*[@-ln-~]|\x1b[()]\w|\x1b[=>78cDEHM]/g;
const CONTROL = /[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f]/g;

/**
 * Leaves out the control sequences that neither color nor style. A carriage return lets the program write the line
 * again, as progress bars do: only the last version is left.
 */
export const toPrintable = (text: string): string =>
  text
    .replaceAll(NOT_SGR, "")
    .replaceAll(/(?<!\r)\r+\n/g, "\n")
    .replaceAll(/(?<![^\n])[^\n]*\r(?=[^\n\r])/g, "")
    .replaceAll(CONTROL, "");

const SGR = /\x1b(?:\[[\d;:]*m)?/g;

/** The text as a person reads it, without colors and styles. */
export const toPlainText = (text: string): string => toPrintable(text).replaceAll(SGR, "");
