import {
  type KeyboardEvent,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import {
  findOpenMention,
  matchMentionables,
  type Mentionable,
  removeMention,
} from "@/lib/mentions";

type MentionInput = {
  value: string;
  onChange: (value: string) => void;
  /** What can be mentioned. */
  known: readonly Mentionable[];
  onChoose: (mentioned: Mentionable) => void;
};

const NO_OPTIONS: readonly Mentionable[] = [];

/** Completes mentions in a text field: the options for the one at the caret, and the keys that choose one. */
export const useMentionInput = (
  field: RefObject<HTMLTextAreaElement | null>,
  { value, onChange, known, onChoose }: MentionInput,
) => {
  const listId = useId();
  /** Undefined while the field has no focus. */
  const [caret, setCaret] = useState<number>();
  const [choice, setChoice] = useState({ query: "", index: 0 });
  /** Where the mention begins whose options were closed. */
  const [closedAt, setClosedAt] = useState<number>();
  const open = caret === undefined ? undefined : findOpenMention(value, caret);
  const options =
    open && open.start !== closedAt ? matchMentionables(open.query, known) : NO_OPTIONS;
  const activeIndex = choice.query === open?.query ? Math.min(choice.index, options.length - 1) : 0;
  const nextCaret = useRef<number>(undefined);
  // Syncs with the browser, which puts the caret to the end of a text that a program sets.
  useLayoutEffect(() => {
    if (nextCaret.current === undefined) return;
    field.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = undefined;
  }, [field, value]);

  const readCaret = (): void => {
    const { selectionStart, selectionEnd } = field.current ?? {};
    setCaret(selectionStart === selectionEnd ? selectionStart : undefined);
    if (open === undefined) setClosedAt(undefined);
  };
  const choose = (option: Mentionable): void => {
    if (!open) return;
    nextCaret.current = open.start;
    setCaret(open.start);
    onChange(removeMention(value, open));
    onChoose(option);
  };
  const move = (by: number): void => {
    const index = (activeIndex + by + options.length) % options.length;
    setChoice({ query: open?.query ?? "", index });
  };
  /** @returns whether the key was for the options. */
  const handleKey = (event: KeyboardEvent): boolean => {
    const option = options[activeIndex];
    if (!option || event.nativeEvent.isComposing || hasModifier(event)) return false;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" || event.key === "Tab") choose(option);
    else if (event.key === "Escape") setClosedAt(open?.start);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return {
    listId,
    options,
    activeIndex,
    choose,
    handleKey,
    readCaret,
    close: () => setCaret(undefined),
  };
};

const hasModifier = ({ shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  shiftKey || altKey || ctrlKey || metaKey;
