import type { Artifact, FilePart } from "./part";

/** A file that a message which is being written will have. */
export type DraftAttachment = {
  key: string;
  name: string;
  /** Bytes. */
  size: number;
  mediaType: string;
} & (
  | { state: "uploading"; /** How much is sent, 0 to 1. */ progress: number }
  | { state: "failed"; error: string }
  | { state: "ready"; file: Artifact }
);

/** What a person has made of a message. */
export type EditedMessage = {
  text: string;
  /** The text that it had. */
  before: string;
  /** Its files that stay. */
  fileIds: readonly string[];
};

export const toReadyAttachment = (file: Artifact): DraftAttachment => ({
  key: file.id,
  name: file.name,
  size: file.size,
  mediaType: file.media_type,
  state: "ready",
  file,
});

/** Returns the file of a message's part. */
export const toArtifact = ({ file_id, name, media_type, size, ...pixels }: FilePart): Artifact => ({
  id: file_id,
  name,
  media_type,
  size,
  ...(pixels.width !== undefined && { width: pixels.width }),
  ...(pixels.height !== undefined && { height: pixels.height }),
});
