const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  quot: '"',
};
const REFERENCE = /&(?:amp|apos|gt|lt|quot|#\d{1,7}|#x[\da-f]{1,6});/gi;

/** Decodes well-formed XML text; what is not, such as code, is meant as it is written. */
export const decodeText = (text: string): string => {
  if (!text.includes("&")) return text;
  const isWellFormed = !text.includes("<") && !text.replaceAll(REFERENCE, "").includes("&");
  return isWellFormed ? text.replaceAll(REFERENCE, decodeReference) : text;
};

const decodeReference = (reference: string): string => {
  const name = reference.slice(1, -1).toLowerCase();
  if (!name.startsWith("#")) return ENTITIES[name] ?? reference;
  const code = name.startsWith("#x") ? parseInt(name.slice(2), 16) : Number(name.slice(1));
  return isCharacter(code) ? String.fromCodePoint(code) : reference;
};

const isCharacter = (code: number): boolean =>
  code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
