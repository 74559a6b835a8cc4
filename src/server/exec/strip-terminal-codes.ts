import { stripVTControlCharacters } from "node:util";

/** Begins a command to the terminal, such as its title, which one of the others ends. What is left does not begin one. */
const COMMAND_START = /(?<!\x1b)\x1b+\]+/g;
const COMMAND_ENDS = ["\u0007", "\u001b\\", "\u009c"];

/**
 * Leaves out the codes of terminals. For each command that begins, Node's function looks for its end in the whole text:
 * where none can follow, the beginnings are left out before.
 */
export const stripTerminalCodes = (text: string): string => {
  const ends = COMMAND_ENDS.map((code) => {
    const at = text.lastIndexOf(code);
    return at < 0 ? 0 : at + code.length;
  });
  const end = Math.max(...ends);
  const rest = text.slice(end).replace(COMMAND_START, "");
  return stripVTControlCharacters(text.slice(0, end) + rest);
};
