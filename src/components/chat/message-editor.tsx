"use client";
import { type KeyboardEvent, useState } from "react";
import { toEditedCommandQuestion } from "@/components/composer/send-questions";
import AttachmentChips from "@/components/composer/attachment-chips";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/text-area";
import { useConfirm } from "@/components/ui/use-confirm";
import { MAX_TEXT_LENGTH } from "@/contract/limits";
import type { FilePart } from "@/contract/part";
import { type EditedMessage, toArtifact, toReadyAttachment } from "@/contract/draft-attachment";
import { isComposing, readEnter } from "@/components/ui/text-focus";

type MessageEditorProps = {
  text: string;
  files: readonly FilePart[];
  /** Whether later messages exist, which sending removes. */
  hasLaterMessages: boolean;
  isSaving: boolean;
  onSave: (edited: Omit<EditedMessage, "before">) => void;
  onCancel: () => void;
};

/** Edits a sent message in place. Enter is that of the message field, Escape cancels. */
const MessageEditor = ({
  text,
  files,
  hasLaterMessages,
  isSaving,
  onSave,
  onCancel,
}: MessageEditorProps) => {
  const [draft, setDraft] = useState(text);
  const [kept, setKept] = useState(files);
  const [question, ask] = useConfirm();
  const isEmpty = draft.trim() === "" && kept.length === 0;
  const save = (): void => {
    if (isEmpty || isSaving) return;
    const edited = { text: draft, fileIds: kept.map(({ file_id: id }) => id) };
    const command = toEditedCommandQuestion(draft);
    if (command) ask(command, () => onSave(edited));
    else onSave(edited);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && !isComposing(event)) onCancel();
    if (readEnter(event) === undefined) return;
    event.preventDefault();
    save();
  };
  return (
    <form
      aria-label="Edit message"
      className="flex flex-col gap-2 rounded-xl border border-accent bg-raised p-3"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <KeptFiles files={kept} onChange={setKept} />
      <TextArea
        label="Message"
        labelHidden
        autoFocus
        maxLength={MAX_TEXT_LENGTH}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-note text-muted">
          {hasLaterMessages
            ? "What follows is kept as another version."
            : "Sending asks for a new answer."}
        </p>
        <EditorButtons isSaving={isSaving} isBlank={isEmpty} onCancel={onCancel} />
      </div>
      {question}
    </form>
  );
};
export default MessageEditor;

type KeptFilesProps = {
  files: readonly FilePart[];
  onChange: (files: readonly FilePart[]) => void;
};

const KeptFiles = ({ files, onChange }: KeptFilesProps) =>
  files.length > 0 && (
    <AttachmentChips
      items={files.map((file) => toReadyAttachment(toArtifact(file)))}
      onRemove={(id) => onChange(files.filter(({ file_id: fileId }) => fileId !== id))}
    />
  );

type EditorButtonsProps = { isSaving: boolean; isBlank: boolean; onCancel: () => void };

const EditorButtons = ({ isSaving, isBlank, onCancel }: EditorButtonsProps) => (
  <div className="ml-auto flex gap-2">
    <Button size="sm" onClick={onCancel}>
      Cancel
    </Button>
    <Button size="sm" variant="primary" type="submit" isBusy={isSaving} disabled={isBlank}>
      Send
    </Button>
  </div>
);
