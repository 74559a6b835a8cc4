import type { DraftAttachment } from "@/contract/draft-attachment";
import type { Model } from "@/contract/model";
import { listAttachmentNotes } from "@/contract/attachment-notes";
import AttachmentChips from "./attachment-chips";

/** The files of the message that is being written, and what changes them. */
export type ComposerAttachments = {
  items: readonly DraftAttachment[];
  onAdd: (files: readonly File[]) => void;
  onRemove: (key: string) => void;
  onRetry: (key: string) => void;
  onMove: (key: string, by: -1 | 1) => void;
};

type ComposerFilesProps = Omit<ComposerAttachments, "onAdd"> & {
  /** Which will get the message; undefined without one. */
  model: Model | undefined;
};

/** The files of a message, and what its model will get of them where that is not the file itself. */
const ComposerFiles = ({ model, ...chips }: ComposerFilesProps) => {
  const files = chips.items.flatMap((item) => (item.state === "ready" ? item.file : []));
  const notes = model ? listAttachmentNotes(files, model) : [];
  return (
    <div className="min-w-0">
      <AttachmentChips {...chips} />
      {notes.length > 0 && (
        <ul aria-label="What the model gets" className="grid gap-1 px-4 text-note text-muted">
          {notes.map((note) => (
            <li key={note} className="text-pretty wrap-anywhere">
              {note}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};
export default ComposerFiles;
