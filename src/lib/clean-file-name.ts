/** Longest name of a file, in bytes: a file system takes 255, and a browser may add a number. */
const MAX_NAME_BYTES = 200;
/** An extension has up to 16 characters. */
const STEM_AND_EXTENSION = /^(.+?)(\.[^.]{1,16})?$/su;

/**
 * Makes a name that any system can store and that looks like what it is: without directories, control
 * characters and marks that change the direction of text, which could hide the extension.
 */
export const cleanFileName = (name: string): string => {
  const base = name.toWellFormed().split(/[/\\]/).at(-1) ?? "";
  const visible = base
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .replaceAll(/[<>:"|?*]/g, "_")
    .trim();
  const [, stem = "", extension = ""] = STEM_AND_EXTENSION.exec(visible) ?? [];
  const short = truncateToBytes(stem, MAX_NAME_BYTES - countBytes(extension)) + extension;
  return /^\.*$/.test(short) ? "file" : short;
};

const truncateToBytes = (text: string, maxBytes: number): string => {
  let bytes = 0;
  let kept = "";
  for (const character of text) {
    bytes += countBytes(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
};

const countBytes = (text: string): number => new TextEncoder().encode(text).length;
