/** A machine's name for people: `read_file` → `Read file`, `getUserName` → `Get user name`, `acme__ping` → `Acme ping`. */
export const humanize = (name: string): string => {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s_\-./:]+/)
    .filter((word) => word !== "")
    .map((word) => (/^[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(" ");
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
};

/** Words with a full stop behind them, unless they end already. */
export const ended = (words: string): string => (/[.!?…]$/.test(words) ? words : `${words}.`);

/** A message's words as a sentence of their own: `is required` → `Is required.` */
export const asSentence = (words: string): string =>
  ended(`${words.charAt(0).toUpperCase()}${words.slice(1)}`);
