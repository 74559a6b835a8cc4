/** @returns the address when following it is harmless; scripts, files and other apps are not. */
export const safeUrl = (url: string | undefined): string | undefined =>
  url !== undefined && /^(https?:\/\/|mailto:)/i.test(url) ? url : undefined;
