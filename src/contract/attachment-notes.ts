import { type FileKind, toFileKind } from "./file-kind";
import type { Model } from "./model";
import type { Artifact } from "./part";

type Reader = Pick<Model, "name" | "abilities">;

/**
 * Says what a model gets of the files of a message where that is not the file itself, one sentence for each reason. What is
 * not known of the model is left out: the server then finds out.
 */
export const listAttachmentNotes = (
  files: readonly Artifact[],
  { name, abilities }: Reader,
): string[] => {
  const byKind = (kind: FileKind): Artifact[] =>
    files.filter(({ media_type }) => toFileKind(media_type) === kind);
  const seesImages = abilities?.includes("images") !== false;
  const images = byKind("image");
  const [unseen, unreadable] = seesImages
    ? [[], images.filter(({ width }) => width === undefined)]
    : [images, []];
  const pdfs = abilities !== undefined && !abilities.includes("pdfs") ? byKind("pdf") : [];
  const notes: [files: readonly Artifact[], note: string][] = [
    [unseen, `${name} does not see images, and gets only the name`],
    [unreadable, `It is damaged or has too many pixels, and ${name} gets only the name`],
    [pdfs, `${name} gets the text`],
    [byKind("other"), `${name} gets only the name, and tools can read the file`],
  ];
  return notes.flatMap(([those, note]) =>
    those.length === 0 ? [] : `${listFileNames(those)}: ${note}.`,
  );
};

/** Names at most this many files. */
const MAX_NAMES = 3;

const listFileNames = (files: readonly Artifact[]): string => {
  const names = files.slice(0, MAX_NAMES).map((file) => file.name);
  const more = files.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(", ");
};
