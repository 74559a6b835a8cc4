/** @returns the URL if it is http(s) or mailto, else undefined: scripts and files are unsafe. */
export const toSafeUrl = (url: string | undefined): string | undefined =>
  url !== undefined && /^(https?:\/\/|mailto:)/i.test(url) ? url : undefined;
