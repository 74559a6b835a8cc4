import { useMentionables } from "@/client/use-mentionables";
import type { ComposerMentions } from "@/components/composer/composer";
import {
  addToChoice,
  listChosen,
  removeFromChoice,
  type SentChoice,
  type ToolChoice,
} from "@/lib/tool-choice";

type ChoiceInput = {
  choice: ToolChoice;
  onChange: (choice: SentChoice) => void;
  /** The text of the message that is being written. */
  draft: string;
};

/** What the composer needs to choose tools by mentions. */
export const useChoiceMentions = ({ choice, onChange, draft }: ChoiceInput): ComposerMentions => {
  const hasChosen = choice.groups.length > 0 || choice.tools !== null;
  const known = useMentionables(hasChosen || draft.includes("@"));
  return {
    known: known ?? [],
    chosen: listChosen(choice, known),
    onChoose: (mentioned) => {
      const next = addToChoice(choice, [mentioned]);
      if (next) onChange(next);
    },
    onRemove: (removed) => onChange(removeFromChoice(choice, removed)),
  };
};
