import { type KeyboardEvent, type RefObject, useId, useMemo, useState } from "react";
import { isComposing, readEnter, replaceText } from "@/components/ui/text-focus";
import { type SlashCommand, completeCommand, findOpenCommand, matchCommands } from "@/lib/commands";
import {
  completeMention,
  findOpenMention,
  matchMentionables,
  type Mentionable,
} from "@/lib/mentions";

type MentionInput = {
  value: string;
  /** What can be mentioned. */
  known: readonly Mentionable[];
  /** What can follow a slash at the beginning of the text. */
  commands: readonly SlashCommand[];
  onChoose: (mentioned: Mentionable) => void;
};

/** What completes a text: a mention, or a command. */
export type Completion = Mentionable | SlashCommand;

const NO_OPTIONS: readonly Completion[] = [];

export const isCommand = (option: Completion): option is SlashCommand =>
  option.kind === "prompt" || option.kind === "resource" || option.kind === "chat";

/** @returns the id of an option in the list. */
export const toMentionId = (listId: string, index: number): string => `${listId}-${index}`;

/** Completes mentions and commands in a text field: the options at the caret, and the keys that choose one. */
export const useMentionInput = (
  field: RefObject<HTMLTextAreaElement | null>,
  { value, known, commands, onChoose }: MentionInput,
) => {
  const listId = useId();
  /** Undefined while the field has no focus. */
  const [caret, setCaret] = useState<number>();
  const [choice, setChoice] = useState({ query: "", index: 0 });
  /** Where the mention or command begins whose options were closed. */
  const [closedAt, setClosedAt] = useState<number>();
  const open = useMemo(
    () => (caret === undefined ? undefined : findOpen(value, caret)),
    [value, caret],
  );
  const options = open && open.start !== closedAt ? listOptions(open, known, commands) : NO_OPTIONS;
  const activeIndex = choice.query === open?.query ? Math.min(choice.index, options.length - 1) : 0;
  const readCaret = (): void => {
    const { selectionStart, selectionEnd } = field.current ?? {};
    setCaret(selectionStart === selectionEnd ? selectionStart : undefined);
    if (open === undefined) setClosedAt(undefined);
  };
  const choose = (option: Completion): void => {
    if (!open) return;
    // Reported as the person's own change.
    if (field.current) replaceText(field.current, complete(value, open, option));
    if (!isCommand(option)) onChoose(option);
  };
  const move = (by: number): void => {
    const index = (activeIndex + by + options.length) % options.length;
    setChoice({ query: open?.query ?? "", index });
  };
  /** @returns whether the key was for the options. */
  const handleKey = (event: KeyboardEvent): boolean => {
    const option = options[activeIndex];
    if (!option || isComposing(event) || hasModifier(event)) return false;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Tab" || readEnter(event) === "send") choose(option);
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

type Open = { start: number; query: string; isCommand: boolean };

/** Finds the mention or command at whose end the caret is. */
const findOpen = (text: string, caret: number): Open | undefined => {
  const command = findOpenCommand(text, caret);
  if (command) return { ...command, isCommand: true };
  const mention = findOpenMention(text, caret);
  return mention && { ...mention, isCommand: false };
};

/** The range of the text that an option replaces, and the new text. */
const complete = (value: string, open: Open, option: Completion) => {
  const { start, query } = open;
  if (!isCommand(option)) return completeMention(value, open, option);
  const { text, caret } = completeCommand(value, open, option);
  return { start, end: start + 1 + query.length, text: text.slice(start, caret) };
};

const listOptions = (
  { query, isCommand: isOpenCommand }: Open,
  known: readonly Mentionable[],
  commands: readonly SlashCommand[],
): readonly Completion[] =>
  isOpenCommand ? matchCommands(query, commands) : matchMentionables(query, known);

const hasModifier = ({ shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  shiftKey || altKey || ctrlKey || metaKey;
