/** Pairs of letters that most words of European languages are made of, the most frequent first. */
const WORD_PAIRS =
  "re er es in te ed on ti at en st se de or le nt co ng al ar li an ro io to ch is it ve ta ra me ec ns ne ri ac ea nd ce ol ts tr et pr ct el ge lo la ll he un pe ca ma as ss si di pa ic nc ha ut ad ex rs em oo om id ou il th fi rt ur su na ck mi po ke mp us ep ap so op no ot ie pl vi ai ag sa ni bl im sc oc pt da iv od rr ab tt ig cr mo ow ul am sh cl ls hi";

/** Rows, columns and zigzags of keyboards, and the alphabet: who chooses a password types along them. */
const TYPED_LINES = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "qwertyuiop",
  "qwertzuiop",
  "asdfghjkl",
  "zxcvbnm",
  "yxcvbnm",
  "1q2w3e4r5t6y7u8i9o0p",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
];

const listPairs = (text: string): string[] =>
  Array.from({ length: Math.max(text.length - 1, 0) }, (_, index) => text.slice(index, index + 2));

const USUAL_PAIRS: ReadonlySet<string> = new Set([
  ...WORD_PAIRS.split(" "),
  ...TYPED_LINES.flatMap(listPairs),
]);

/** Signs by which people replace letters. */
const REPLACED_LETTERS: Readonly<Record<string, string>> = {
  0: "o",
  1: "i",
  3: "e",
  4: "a",
  5: "s",
  7: "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/** Of 24 random letters and digits, 99 in 100 have as many unusual pairs, each counted once. */
const MIN_UNUSUAL_PAIRS = 9;
/** Of the pairs of random texts, between 0.4 and 0.9 are unusual; of passwords that people choose, fewer than 0.4. */
const MIN_UNUSUAL_SHARE = 0.4;

/** 128 bits and more in hexadecimal digits, whose pairs are like those of words. */
const HEXADECIMAL = /^(?=.*\d)(?=.*[a-f])[\da-f-]{32,}$/;
/** 128 random bits have 27 to 30 different triples of digits. */
const MIN_TRIPLES = 24;

/**
 * Whether a generator has made a text, so that nobody can guess it: it has at least about 100 bits, and not what people
 * choose as a password, such as words, sentences, years and rows of a keyboard, also with signs in place of letters. Of 100
 * random texts of 24 letters and digits it knows 98, of longer ones nearly all.
 */
export const isRandomText = (text: string): boolean => {
  if (/\s/.test(text)) return false;
  const lowerCase = text.toLowerCase();
  if (HEXADECIMAL.test(lowerCase)) {
    const digits = lowerCase.replaceAll("-", "");
    const triples = digits.split("").map((_, index) => digits.slice(index, index + 3));
    return digits.length >= 32 && new Set(triples).size >= MIN_TRIPLES;
  }
  const unusual = new Set(listPairs(lowerCase).filter(isUnusual)).size;
  return unusual >= MIN_UNUSUAL_PAIRS && unusual >= MIN_UNUSUAL_SHARE * (text.length - 1);
};

/** Two digits may be of a year, and other signs stand where people separate words. */
const isUnusual = (pair: string): boolean => {
  const letters = pair.replace(/[013457@$!]/g, (sign) => REPLACED_LETTERS[sign] ?? sign);
  return (
    /^(?!\d\d|(.)\1)[a-z\d]{2}$/.test(pair) && !USUAL_PAIRS.has(pair) && !USUAL_PAIRS.has(letters)
  );
};
