/** Stands in a text for a secret that was removed from it. */
export const SECRET_MASK = "[redacted]";

/** Keys that are recognizable by their own format, which nothing else in a text or in source code has. */
const KEY_FORMATS = [
  /\b[srp]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\bAIza[\w-]{35}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b(?:gh[pousr]_|npm_)[A-Za-z0-9]{36}/g,
  /\bhf_[A-Za-z0-9]{34}/g,
  /\b(?:github_pat_|glpat-|xox[abeoprs]-\d)[\w-]{20,}/g,
  // A key of this API.
  /\bparley_[\w-]{43}/g,
];

/** Private keys, also with numbered lines, in comments, or in strings. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----BEGIN)[\w+/=\s\\:,.()#"'-]){64,16000}?-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** What code between the first and the last line does not have. */
const BASE64_RUN = /[A-Za-z0-9+/=]{40}/;
/** The first lines of a private key, as a command shows them. */
const PRIVATE_KEY_START =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:\r?\n|\\n)(?:\d{1,7}[\t:-])?[ \t#]{0,8}[A-Za-z0-9+/=]{40,100})+/g;

/** Keys of OpenAI, Anthropic and compatible providers, and names of other things that begin alike. */
const SK_KEY = /\bsk-[\w-]{20,}/g;
/** Letters and digits without an end, which a name of words, such as that of a CSS class, does not have. */
const isRandom = (name: string): boolean =>
  name.match(/[A-Za-z0-9]{16,}/g)?.some((run) => /\d/.test(run)) ?? false;

/**
 * JSON web tokens: two parts of JSON in base64 and a signature. Read from the beginning of a word on only, as words that
 * repeat the beginning of a token would be read again for each of them.
 */
const JWT_WORDS = /(?<![\w-])[\w-]{11,}\.eyJ[\w-]{8,}\.[\w-]*/g;
const maskToken = (words: string): string => {
  const [first = ""] = words.split(".", 1);
  const start = first.search(/\beyJ/);
  return start === -1 || first.length - start < 11 ? words : words.slice(0, start) + SECRET_MASK;
};

/** The shortest key of all formats, in characters. Most texts in the data of results are shorter. */
const MIN_KEY_LENGTH = 20;

/** Masks what cannot be anything but a key, a token or a private key. Leaves source code as it is. */
export const maskKeys = (text: string): string =>
  text.length < MIN_KEY_LENGTH
    ? text
    : KEY_FORMATS.reduce((masked, format) => masked.replace(format, SECRET_MASK), text)
        .replace(SK_KEY, (name) => (isRandom(name) ? SECRET_MASK : name))
        .replace(JWT_WORDS, maskToken)
        .replace(PRIVATE_KEY, (key) => (BASE64_RUN.test(key) ? SECRET_MASK : key))
        .replace(PRIVATE_KEY_START, SECRET_MASK);

/** Keys that a provider has partly masked, or that are recognizable by the text before them, the first group. */
const SECRET_CONTEXTS = [
  /()\bsk-[\w*-]{6,}/g,
  /()-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*-----END [A-Z ]{0,40}PRIVATE KEY-----/g,
  /\b((?:Bearer|Basic)\s+)[\w.~+/=-]{8,}/gi,
  /\b(\w{2,20}:\/\/[^\s/:@]{0,256}:)[^\s/"'<>]{1,256}(?=@)/g,
  /([?&](?:api[_-]?key|key|access[_-]?token|auth[_-]?token|token|sig|signature|secret|password)=)[^\s&#"'<>]+/gi,
  /(["']?\b[\w-]{0,40}(?:api[_-]?key|access[_-]?token|auth[_-]?token|secret|password)["']?\s{0,4}[:=]\s{0,4}["']?)(?!\[redacted\])[^\s"',;&}\]]{6,}/gi,
];

/**
 * Masks everything in a text that looks like a key, a token or a password. Only for logs and messages of
 * failures: in source code, `password: string` looks like one, too.
 */
export const redactSecrets = (text: string): string =>
  SECRET_CONTEXTS.reduce(
    (redacted, context) => redacted.replace(context, `$1${SECRET_MASK}`),
    maskKeys(text),
  );
