type ReadOptions = {
  /** Whether only whole numbers are asked for. */
  isWhole?: boolean;
  /** The largest number that is asked for: percent are parts of 1, or of 100. */
  maximum?: number | undefined;
};

/**
 * Reads a number as people write it: with a comma or a point, groups of digits, digits of any script, a currency.
 *
 * @returns the number in JSON, with all its digits; both meanings of a text that has two; undefined for no number.
 */
export const readNumber = (
  entered: string,
  { isWhole = false, maximum }: ReadOptions = {},
): { number: string } | { meanings: [string, string] } | undefined => {
  const text = normalizeCharacters(entered);
  const [, sign = "", body = "", percent] = NUMBER.exec(text) ?? [];
  const number = toJsonNumber(body);
  if (number === undefined) return undefined;
  const minus = sign.replace("+", "");
  if (percent !== undefined) return readPercent(`${minus}${number}`, maximum);
  // "1,000" is a thousand in English and one in German.
  const isAmbiguous = isWhole ? ONE_GROUP.test(body) : ONE_GROUP.test(body) && body.includes(",");
  if (!isAmbiguous) return { number: `${minus}${number}` };
  const [whole, grouped] = [body.replace(",", "."), body.replace(/[.,]/, "")];
  return { meanings: [`${minus}${grouped}`, `${minus}${whole}`] };
};

/** A sign, with or without a currency at either side, a number, and percent. */
const NUMBER = /^\p{Sc}?([+-]?)\p{Sc}?([^\p{Sc}%+-][^\p{Sc}%]*|[.,]\d+)\p{Sc}?(%)?$/u;

/** Up to three digits and three more, after a comma or a point. */
const ONE_GROUP = /^[1-9]\d{0,2}[.,]\d{3}$/;

const PLAIN = /^(\d*)(?:[.,](\d*))?(e[+-]?\d+)?$/i;

/** Groups of digits, of which the last has three; those of India have two before. */
const GROUPED = /^\d{1,3}(?:([.,'])(?:\d{2,3}\1)*\d{3})(?:([.,])(\d+))?$/;

const toJsonNumber = (body: string): string | undefined => {
  const [, whole = "", fraction = "", exponent = ""] = PLAIN.exec(body) ?? [];
  return whole === "" && fraction === "" ? joinGroups(body) : join(whole, fraction) + exponent;
};

const joinGroups = (body: string): string | undefined => {
  const [matched, separator = "", point, fraction = ""] = GROUPED.exec(body) ?? [];
  if (matched === undefined || separator === point) return undefined;
  const groups = point === undefined ? matched : matched.slice(0, -fraction.length - 1);
  return join(groups.replaceAll(separator, ""), fraction);
};

const join = (whole: string, fraction: string): string =>
  `${whole.replace(/^0+(?=\d)/, "") || "0"}${fraction === "" ? "" : `.${fraction}`}`;

const readPercent = (number: string, maximum: number | undefined) => {
  if (maximum === 100) return { number };
  return maximum === 1 && !/e/i.test(number) ? { number: divideByHundred(number) } : undefined;
};

const divideByHundred = (number: string): string => {
  const [, minus = "", whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(number) ?? [];
  const digits = whole.padStart(3, "0");
  return minus + join(digits.slice(0, -2), digits.slice(-2) + fraction);
};

/** Digits of all scripts become those of ASCII; all that separates groups, an apostrophe; all minus signs, one. */
const normalizeCharacters = (entered: string): string =>
  entered
    .normalize("NFKC")
    .trim()
    .replaceAll(/\p{Nd}/gu, toAsciiDigit)
    .replaceAll(/[−‐–]/gu, "-")
    .replaceAll("٫", ".")
    .replaceAll(/(?<!\s)\s+(?=[%\p{Sc}])|(?<=\p{Sc})\s+/gu, "")
    .replaceAll(/[\s’_٬]/gu, "'");

/** The ten digits of a script follow each other. */
const toAsciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
};
