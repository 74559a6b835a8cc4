import { KEPT_SHOWN_FILE_BYTES, MAX_SHOWN_FILE_BYTES } from "./limits";

export type SizedFile = { id: string; bytes: number };

/**
 * Selects the images and PDFs of a chat's messages that a request has, by their sizes. The oldest ones leave when they
 * would be more than a request may have, and then so many that the next messages find room: what is before them in the
 * request stays the same, so that the provider's cache of it is not lost with each message. The files of one message stay
 * together as long as they fit.
 *
 * @param messages the files of each message, in the order of the history.
 * @returns the ids of the files that are shown.
 */
export const selectShownFiles = (
  messages: readonly (readonly SizedFile[])[],
): ReadonlySet<string> => {
  let shown: SizedFile[] = [];
  for (const files of messages) {
    const before =
      sum(shown) + sum(files) > MAX_SHOWN_FILE_BYTES ? keepNewest(shown, files) : shown;
    shown = takeNewest([...before, ...files], MAX_SHOWN_FILE_BYTES);
  }
  return new Set(shown.map(({ id }) => id));
};

const keepNewest = (shown: readonly SizedFile[], added: readonly SizedFile[]): SizedFile[] =>
  takeNewest(shown, Math.max(KEPT_SHOWN_FILE_BYTES - sum(added), 0));

const takeNewest = (files: readonly SizedFile[], maxBytes: number): SizedFile[] => {
  let left = maxBytes;
  const first = files.findLastIndex(({ bytes }) => (left -= bytes) < 0);
  return files.slice(first + 1);
};

const sum = (files: readonly SizedFile[]): number =>
  files.reduce((total, { bytes }) => total + bytes, 0);
