/** Converts an identifier to words: `read_file` → `Read file`, `getUserName` → `Get user name`, `acme__ping` → `Acme ping`. */
export const humanize = (name: string): string => {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s_\-./:]+/)
    .filter((word) => word !== "")
    .map((word) => (/^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(" ");
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
};

/** Adds a full stop to a text that does not end a sentence yet. */
export const endSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Converts a message to a sentence: `is required` → `Is required.` */
export const toSentence = (message: string): string =>
  endSentence(`${message.charAt(0).toUpperCase()}${message.slice(1)}`);
