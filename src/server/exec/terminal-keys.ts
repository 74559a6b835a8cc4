import { ToolFailure } from "@/server/tools/tool-result";

const ESCAPE = "\u001b";

/** Keys whose code does not depend on the program. */
const PLAIN_KEYS: Readonly<Record<string, string>> = {
  enter: "\r",
  return: "\r",
  tab: "\t",
  "shift-tab": `${ESCAPE}[Z`,
  escape: ESCAPE,
  esc: ESCAPE,
  space: " ",
  backspace: "\u007f",
  delete: `${ESCAPE}[3~`,
  del: `${ESCAPE}[3~`,
  insert: `${ESCAPE}[2~`,
  pageup: `${ESCAPE}[5~`,
  pagedown: `${ESCAPE}[6~`,
  f1: `${ESCAPE}OP`,
  f2: `${ESCAPE}OQ`,
  f3: `${ESCAPE}OR`,
  f4: `${ESCAPE}OS`,
  f5: `${ESCAPE}[15~`,
  f6: `${ESCAPE}[17~`,
  f7: `${ESCAPE}[18~`,
  f8: `${ESCAPE}[19~`,
  f9: `${ESCAPE}[20~`,
  f10: `${ESCAPE}[21~`,
  f11: `${ESCAPE}[23~`,
  f12: `${ESCAPE}[24~`,
};

/** Keys that begin with ESC O while the program has set application cursor keys, as less does, else with ESC [. */
const CURSOR_KEYS: Readonly<Record<string, string>> = {
  up: "A",
  down: "B",
  right: "C",
  left: "D",
  home: "H",
  end: "F",
};

type KeyModes = { applicationCursorKeys: boolean };

/**
 * Encodes keys as a terminal sends them. In a text, names of keys are words of their own and what stands between
 * them is sent as it is; where a word of the text is also a key, names are written in angle brackets: `cd home<enter>`.
 *
 * @throws {ToolFailure} when there are none.
 */
export const encodeKeys = (keys: string | readonly string[], modes: KeyModes): string => {
  const encoded =
    typeof keys === "string" ? encodeText(keys, modes) : encodeItems(keys, modes).join("");
  if (encoded === "") throw new ToolFailure("send_keys needs keys, such as enter or ctrl-c.");
  return encoded;
};

const encodeItems = (items: readonly string[], modes: KeyModes): string[] =>
  items.map((item) => encodeKey(item, modes) ?? item);

const encodeText = (text: string, modes: KeyModes): string => {
  const whole = encodeKey(text.trim(), modes);
  if (whole !== undefined) return whole;
  const bracketed = text.replaceAll(
    /<([^<>\s]{1,20})>/g,
    (match, name: string) => encodeKey(name, modes) ?? match,
  );
  return bracketed === text ? encodeWords(text, modes) : bracketed;
};

/** White space next to a key's name separates, and is not sent. */
const encodeWords = (text: string, modes: KeyModes): string => {
  const words = text.split(/(\s+)/);
  return words
    .map((word, index) => {
      if (index % 2 === 0) return findKey(word, modes) ?? word;
      const separates = [words[index - 1], words[index + 1]].some(
        (next) => findKey(next ?? "", modes) !== undefined,
      );
      return separates ? "" : word;
    })
    .join("");
};

/** A list of keys may have commas. */
const findKey = (word: string, modes: KeyModes): string | undefined =>
  encodeKey(word, modes) ?? (word.endsWith(",") ? encodeKey(word.slice(0, -1), modes) : undefined);

/** @returns undefined for what is not the name of a key. */
const encodeKey = (name: string, modes: KeyModes): string | undefined => {
  const key = name.toLowerCase();
  if (Object.hasOwn(PLAIN_KEYS, key)) return PLAIN_KEYS[key];
  if (Object.hasOwn(CURSOR_KEYS, key)) {
    return `${ESCAPE}${modes.applicationCursorKeys ? "O" : "["}${CURSOR_KEYS[key] ?? ""}`;
  }
  const modified = /^(ctrl|alt)[-+](.+)$/is.exec(name);
  if (!modified) return undefined;
  const [, modifier = "", rest = ""] = modified;
  if (modifier.toLowerCase() === "ctrl") return encodeControl(rest);
  const inner = encodeKey(rest, modes) ?? (Array.from(rest).length === 1 ? rest : undefined);
  return inner === undefined ? undefined : `${ESCAPE}${inner}`;
};

/** The control characters of ASCII: a letter or one of the signs behind them, with the upper bits cleared. */
const encodeControl = (name: string): string | undefined => {
  if (name.toLowerCase() === "space") return "\0";
  if (name === "?") return "\u007f";
  return /^[a-z@[\\\]^_]$/i.test(name)
    ? String.fromCharCode(name.toUpperCase().charCodeAt(0) & 0x1f)
    : undefined;
};
