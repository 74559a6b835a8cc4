import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
} from "react";
import { lazyParts, usePartReady } from "@/components/ui/lazy-parts";
import { isTouchDevice, isTyping, moveCaretToEnd } from "@/components/ui/text-focus";
import { useEarlyInput } from "@/components/ui/use-early-input";
import type { SlashCommand } from "@/lib/commands";
import type { Mentionable } from "@/lib/mentions";
import { useFocusFallback } from "@/components/ui/use-focus-fallback";
import { toMentionId, useMentionInput } from "./use-mention-input";

const MentionList = lazyParts(() => import("./mention-list"));

/** Text that is measured, in UTF-16 units; more does not fit into the tallest field. */
const MAX_MEASURED_LENGTH = 4_000;

type ComposerTextProps = {
  value: string;
  onChange: (value: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  placeholder: string;
  disabled: boolean;
  isInvalid: boolean;
  describedBy: string | undefined;
  autoFocus: boolean;
  /** What can be mentioned; nothing by default. */
  mentionables?: readonly Mentionable[] | undefined;
  /** What can follow a slash at the beginning of the text; nothing by default. */
  commands?: readonly SlashCommand[] | undefined;
  /** Gets the files of the clipboard; absent where there can be none. */
  onPasteFiles?: ((files: File[]) => void) | undefined;
  /** Called when a mention is chosen, which then is no longer in the text. */
  onMention?: ((mentioned: Mentionable) => void) | undefined;
};

const NO_MENTIONABLES: readonly Mentionable[] = [];
const NO_COMMANDS: readonly SlashCommand[] = [];

/**
 * A text field that grows with its text, up to about a third of the screen. It asks its row for the width of its longest
 * line, so that a row that also has the buttons breaks when they do not fit next to the text.
 */
export const ComposerText = (props: ComposerTextProps) => {
  const { onChange, onKeyDown, onPasteFiles, isInvalid, describedBy, autoFocus, ...rest } = props;
  const { mentionables = NO_MENTIONABLES, commands = NO_COMMANDS, onMention, ...field } = rest;
  const id = useId();
  const text = useRef<HTMLTextAreaElement>(null);
  useEarlyInput(text, field.value, onChange);
  useAutoFocus(text, autoFocus);
  useFocusFallback(text);
  const mentions = useMentionInput(text, {
    value: field.value,
    known: mentionables,
    commands,
    onChoose: (mentioned) => onMention?.(mentioned),
  });
  const { options, listId, activeIndex } = mentions;
  const hasOptions = options.length > 0;
  // The field names the list only when it is there.
  const isOpen = usePartReady(MentionList, hasOptions) && hasOptions;
  return (
    <div className="min-w-24 flex-auto px-4 py-3 text-base max-sm:basis-full">
      {isOpen && (
        <MentionList
          id={listId}
          options={options}
          activeIndex={activeIndex}
          onChoose={mentions.choose}
        />
      )}
      <OptionCount count={options.length} />
      <label htmlFor={id} className="sr-only">
        Message
      </label>
      <div className="relative">
        {/* A hint on what to write has one row; why nothing can be written is read whole. */}
        <MeasuredText text={field.value || (field.disabled ? field.placeholder : "")} />
        <textarea
          {...field}
          ref={text}
          id={id}
          rows={1}
          aria-invalid={isInvalid || undefined}
          aria-describedby={describedBy}
          aria-autocomplete="list"
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={isOpen ? toMentionId(listId, activeIndex) : undefined}
          onChange={({ target }) => {
            mentions.readCaret();
            onChange(target.value);
          }}
          onSelect={mentions.readCaret}
          onBlur={mentions.close}
          onPaste={(event) => takePastedFiles(event, onPasteFiles)}
          onKeyDown={(event) => {
            if (!mentions.handleKey(event)) onKeyDown(event);
          }}
          className="absolute inset-0 block size-full resize-none overflow-y-auto bg-transparent wrap-anywhere outline-none enabled:placeholder:truncate disabled:cursor-not-allowed pointer-coarse:text-[1rem]"
        />
      </div>
    </div>
  );
};

const takePastedFiles = (
  event: ClipboardEvent,
  onPasteFiles: ComposerTextProps["onPasteFiles"],
): void => {
  const { files, types } = event.clipboardData;
  // Programs such as spreadsheets also copy a picture of their text.
  if (!onPasteFiles || files.length === 0 || types.includes("text/plain")) return;
  event.preventDefault();
  onPasteFiles([...files]);
};

const useAutoFocus = (field: RefObject<HTMLTextAreaElement | null>, isWanted: boolean): void => {
  // The `autoFocus` attribute would focus the field before hydration, when typed text can get lost.
  useEffect(() => {
    if (!isWanted || !field.current || isTouchDevice() || isTyping()) return;
    field.current.focus();
    moveCaretToEnd(field.current);
  }, [field, isWanted]);
};

/** Announces the options of the list, as the focus stays in the field. */
const OptionCount = ({ count }: { count: number }) => (
  <p aria-live="polite" className="sr-only">
    {count > 0 && `${count} ${count === 1 ? "name fits" : "names fit"}.`}
  </p>
);

/** Gives the field its height and the width that it asks for. */
const MeasuredText = ({ text }: { text: string }) => (
  <div
    aria-hidden
    translate="no"
    className="invisible max-h-[35dvh] overflow-hidden wrap-anywhere whitespace-pre-wrap pointer-coarse:text-[1rem]"
  >
    {/* The zero-width space gives a new, empty last line its height. */}
    {`${text.slice(0, MAX_MEASURED_LENGTH)}\u200b`}
  </div>
);
