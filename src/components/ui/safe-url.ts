/** @returns the URL if it is http(s) or mailto, else undefined: scripts and files are unsafe. */
export const toSafeUrl = (url: string | undefined): string | undefined =>
  url !== undefined && /^(https?:\/\/|mailto:)/i.test(url) ? url : undefined;

/** @returns the host of a URL without `www.`, or the text itself if it is no URL. */
export const toHost = (url: string): string => {
  try {
    return new URL(url).hostname.replace(/^www\./, "");
  } catch {
    // Models may write invalid URLs; show those as they are.
    return url;
  }
};
