const MASK = "[redacted]";

/** Keys that are recognizable by their own format. */
const KEY_FORMATS = [
  // OpenAI, Anthropic and compatible providers; also partly masked by the provider.
  /\bsk-[\w*-]{6,}/g,
  /\b[srp]k_(?:live|test)_\w{8,}/g,
  /\bAIza[\w-]{30,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|xox[abeoprs]-)[\w-]{16,}/g,
  // A JSON web token: two parts of JSON in base64 and a signature.
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----/g,
];

/** Secrets that are recognizable by the text before them, which is the first group and stays. */
const SECRET_CONTEXTS = [
  /\b((?:Bearer|Basic)\s+)[\w.~+/=-]{8,}/gi,
  /\b(\w{2,20}:\/\/[^\s/:@]{0,256}:)[^\s/@]{1,256}(?=@)/g,
  /([?&](?:api[_-]?key|key|access[_-]?token|auth[_-]?token|token|sig|signature|secret|password)=)[^\s&#"'<>]+/gi,
  /(["']?\b[\w-]{0,40}(?:api[_-]?key|access[_-]?token|auth[_-]?token|secret|password)["']?\s{0,4}[:=]\s{0,4}["']?)(?!\[redacted\])[^\s"',;&}\]]{6,}/gi,
];

/** Masks everything in a text that looks like a key, a token or a password. */
export const redactSecrets = (text: string): string => {
  let redacted = text;
  for (const format of KEY_FORMATS) redacted = redacted.replace(format, MASK);
  for (const context of SECRET_CONTEXTS) redacted = redacted.replace(context, `$1${MASK}`);
  return redacted;
};
