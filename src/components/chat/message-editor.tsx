"use client";
import { type KeyboardEvent, useState } from "react";
import { toEditedCommandQuestion } from "@/components/composer/send-questions";
import { Button } from "@/components/ui/button";
import { TextArea } from "@/components/ui/text-area";
import { useConfirm } from "@/components/ui/use-confirm";
import { MAX_TEXT_LENGTH } from "@/contract/limits";
import { isComposing, readEnter } from "@/components/ui/text-focus";

type MessageEditorProps = {
  text: string;
  /** Whether later messages exist, which sending removes. */
  hasLaterMessages: boolean;
  isSaving: boolean;
  onSave: (text: string) => void;
  onCancel: () => void;
};

/** Edits a sent message in place. Enter is that of the message field, Escape cancels. */
const MessageEditor = ({
  text,
  hasLaterMessages,
  isSaving,
  onSave,
  onCancel,
}: MessageEditorProps) => {
  const [draft, setDraft] = useState(text);
  const [question, ask] = useConfirm();
  const save = (): void => {
    if (draft.trim() === "" || isSaving) return;
    const command = toEditedCommandQuestion(draft);
    if (command) ask(command, () => onSave(draft));
    else onSave(draft);
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
            ? "Sending removes all later messages."
            : "Sending asks for a new answer."}
        </p>
        <EditorButtons isSaving={isSaving} isBlank={draft.trim() === ""} onCancel={onCancel} />
      </div>
      {question}
    </form>
  );
};
export default MessageEditor;

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
