import { Plus, X } from "lucide-react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { MAX_STARTING_TEXT_LENGTH, MAX_STARTING_TEXTS } from "@/contract/limits";
import type { StartingText } from "@/contract/starting-text";

type StartingTextsProps = {
  /** Oldest first. */
  texts: readonly StartingText[];
  /** What is written in the composer, which can be kept. */
  draft: string;
  /** Fills the composer, where the person completes the text. */
  onSelect: (text: string) => void;
  onKeep: (text: string) => void;
  onRemove: (id: string) => void;
  isKeeping: boolean;
  /** Why the last change could not be made. */
  error?: string | undefined;
};

/** The texts that the person begins chats with, and a button that keeps the one of the composer. */
export const StartingTexts = (props: StartingTextsProps) => {
  const { texts, draft, error } = props;
  if (texts.length === 0 && draft.trim() === "" && error === undefined) return null;
  return (
    <section aria-label="Your starting texts" className="grid gap-2">
      {error !== undefined && <Alert tone="danger" announce="alert" title={error} />}
      <div className="flex flex-wrap items-center gap-2">
        {texts.map((text) => (
          <TextChip key={text.id} {...props} {...text} />
        ))}
        {canKeep(props) && (
          <Button
            size="sm"
            variant="ghost"
            icon={<Plus aria-hidden size={14} />}
            isBusy={props.isKeeping}
            onClick={() => props.onKeep(draft)}
          >
            Keep as a starting text
          </Button>
        )}
      </div>
    </section>
  );
};

const canKeep = ({ texts, draft }: StartingTextsProps): boolean => {
  const text = draft.trim();
  const isNew = text !== "" && texts.every((one) => one.text !== text);
  return isNew && text.length <= MAX_STARTING_TEXT_LENGTH && texts.length < MAX_STARTING_TEXTS;
};

type TextChipProps = Pick<StartingTextsProps, "onSelect" | "onRemove"> & StartingText;

const TextChip = ({ id, text, onSelect, onRemove }: TextChipProps) => (
  <div className="flex max-w-full min-w-0 items-center rounded-lg border bg-raised pr-1 transition-colors focus-within:border-border-strong hover:border-border-strong">
    <button
      type="button"
      title={text}
      onClick={() => onSelect(text)}
      className="max-w-72 min-w-0 truncate rounded-l-lg py-1.5 pl-3 text-left -outline-offset-2 pointer-coarse:min-h-11"
    >
      {text}
    </button>
    <IconButton
      size="sm"
      label={`Remove “${text.slice(0, MAX_NAME_LENGTH)}”`}
      icon={<X aria-hidden size={14} />}
      onClick={() => onRemove(id)}
    />
  </div>
);

/** Characters of a text that name its button. */
const MAX_NAME_LENGTH = 60;
