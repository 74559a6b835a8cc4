import { useMentionables } from "@/client/use-mentionables";
import type { ComposerMentions } from "@/components/forms/composer";
import { findMentions } from "@/lib/mentions";
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

/** What the composer needs to choose tools by mentions, and what a text chooses when it is sent. */
export const useChoiceMentions = ({ choice, onChange, draft }: ChoiceInput) => {
  const hasChosen = choice.groups.length > 0 || choice.tools !== null;
  const known = useMentionables(hasChosen || draft.includes("@"));
  const mentions: ComposerMentions = {
    known: known ?? [],
    chosen: listChosen(choice, known),
    onChoose: (mentioned) => {
      const next = addToChoice(choice, [mentioned]);
      if (next) onChange(next);
    },
    onRemove: (removed) => onChange(removeFromChoice(choice, removed)),
  };
  return {
    mentions,
    /** @returns the choice with what a text mentions; undefined if that is chosen already. */
    findChoice: (text: string): SentChoice | undefined =>
      addToChoice(choice, findMentions(text, known ?? [])),
  };
};
