import type { MessageView } from "./chat-view";
import { toFileKind } from "./file-kind";
import {
  KEPT_SHOWN_FILE_BYTES,
  MAX_SHOWN_FILE_BYTES,
  MAX_SHOWN_IMAGE_BYTES,
  MAX_SHOWN_PDF_BYTES,
} from "./limits";
import type { FilePart } from "./part";
import type { OmittedFiles } from "./usage";

export type SizedFile = { id: string; bytes: number };

/** Returns what a file takes of a request; undefined if no model is given it as bytes. */
export const toSizedFile = ({
  file_id: id,
  media_type,
  size,
  width,
}: Omit<FilePart, "type">): (SizedFile & { kind: "image" | "pdf" }) | undefined => {
  const kind = toFileKind(media_type);
  if (kind === "image" && width !== undefined) return { kind, id, bytes: MAX_SHOWN_IMAGE_BYTES };
  return kind === "pdf" && size <= MAX_SHOWN_PDF_BYTES ? { kind, id, bytes: size } : undefined;
};

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

type ShownFile = NonNullable<ReturnType<typeof toSizedFile>>;

/** Each file once, where the newest message has it. */
const sortNewestFirst = (files: readonly ShownFile[]): ShownFile[] => [
  ...new Map(files.toReversed().map((file) => [file.id, file])).values(),
];

/**
 * Counts the files that have left a request.
 *
 * @param files of all messages, as far as the model takes them.
 * @returns undefined if none has.
 */
export const countOmittedFiles = (
  files: readonly ShownFile[],
  shown: ReadonlySet<string>,
): OmittedFiles | undefined => {
  const sorted = sortNewestFirst(files);
  const before = sorted.findLast(({ id }) => shown.has(id))?.id;
  const omitted = sorted.filter(({ id }) => !shown.has(id));
  if (before === undefined || omitted.length === 0) return undefined;
  const images = omitted.filter(({ kind }) => kind === "image").length;
  return { images, pdfs: omitted.length - images, before };
};

/** Returns what the request of the newest answer had no room for. */
export const findOmittedFiles = (messages: readonly MessageView[]): OmittedFiles | undefined =>
  messages.findLast(({ usage }) => usage !== undefined)?.usage?.omitted_files;

const NONE: ReadonlySet<string> = new Set();

/** Finds the ids of these files among messages, which may be the last ones of a chat. */
export const listOmittedFiles = (messages: readonly MessageView[]): ReadonlySet<string> => {
  const omitted = findOmittedFiles(messages);
  if (!omitted) return NONE;
  const counts = { image: omitted.images, pdf: omitted.pdfs };
  const sorted = sortNewestFirst(
    messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === "file" ? (toSizedFile(part) ?? []) : [])),
    ),
  );
  const end = sorted.findIndex(({ id }) => id === omitted.before);
  if (end < 0) return NONE;
  const older = sorted.slice(end + 1).filter(({ kind }) => counts[kind] > 0);
  return new Set(older.map(({ id }) => id));
};
