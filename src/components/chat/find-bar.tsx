"use client";
import { clsx } from "clsx";
import { ChevronDown, ChevronUp, Search, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { isComposing } from "@/components/ui/text-focus";
import { MAX_SEARCH_LENGTH } from "@/contract/limits";

type FindBarProps = {
  query: string;
  onQueryChange: (query: string) => void;
  /** The messages that have the text; undefined while there is none to look for. */
  found: FoundState | undefined;
  /** How often the bar was asked for; each time its field gets the focus. */
  openCount: number;
  /** Shows the next message, which is older, or the previous one. */
  onMove: (by: 1 | -1) => void;
  onClose: () => void;
};

type FoundState = {
  /** The number of the message that is shown, from 1, the newest. */
  position: number;
  count: number;
  /** Whether there are more than counted. */
  hasMore: boolean;
  /** Some text of the message that is shown, for people who do not see it. */
  snippet?: string | undefined;
  isLoading: boolean;
  error?: string | undefined;
};

/** Finds a text in the messages of the chat. The focus stays in its field while the messages are shown. */
export const FindBar = ({
  query,
  onQueryChange,
  found,
  openCount,
  onMove,
  onClose,
}: FindBarProps) => {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || isComposing(event)) return;
    // The page would stop the answer.
    event.stopPropagation();
    event.preventDefault();
    onClose();
  };
  const canMove = found !== undefined && found.count > 0;
  return (
    <div
      role="search"
      aria-label="Find in chat"
      data-screen-only
      onKeyDown={onKeyDown}
      className="z-10 shrink-0 border-b bg-bg px-4 py-2 short:sticky short:top-0"
    >
      <div className="mx-auto flex w-full max-w-[44rem] flex-wrap items-center gap-x-2 gap-y-1">
        <Field
          query={query}
          onQueryChange={onQueryChange}
          openCount={openCount}
          onEnter={(by) => canMove && onMove(by)}
        />
        <Status query={query} found={found} />
        <div className="flex items-center">
          <IconButton
            size="sm"
            label="Next match (older)"
            icon={<ChevronUp aria-hidden size={16} />}
            disabled={!canMove}
            onClick={() => onMove(1)}
          />
          <IconButton
            size="sm"
            label="Previous match (newer)"
            icon={<ChevronDown aria-hidden size={16} />}
            disabled={!canMove}
            onClick={() => onMove(-1)}
          />
          <IconButton
            size="sm"
            label="Close search"
            icon={<X aria-hidden size={16} />}
            onClick={onClose}
          />
        </div>
      </div>
    </div>
  );
};

type FieldProps = Pick<FindBarProps, "query" | "onQueryChange" | "openCount"> & {
  onEnter: (by: 1 | -1) => void;
};

const Field = ({ query, onQueryChange, openCount, onEnter }: FieldProps) => {
  const field = useRef<HTMLInputElement>(null);
  // Syncs with the focus of the browser: who asks for the bar again wants to look for something else.
  useEffect(() => {
    const { length } = field.current?.value ?? "";
    field.current?.focus();
    field.current?.setSelectionRange(openCount > 1 ? 0 : length, length);
  }, [openCount]);
  return (
    <div className="relative min-w-32 flex-1">
      <Search
        aria-hidden
        size={15}
        className="pointer-events-none absolute inset-y-0 left-2 my-auto text-muted"
      />
      <input
        ref={field}
        type="text"
        aria-label="Text to find"
        placeholder="Find in chat"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_SEARCH_LENGTH}
        value={query}
        onChange={({ target }) => onQueryChange(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || isComposing(event)) return;
          event.preventDefault();
          onEnter(event.shiftKey ? -1 : 1);
        }}
        className="hover:border-text-muted h-8 w-full rounded-md border border-border-field bg-bg pr-2 pl-8 text-sm transition-colors focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 pointer-coarse:h-10 pointer-coarse:text-base"
      />
    </div>
  );
};

const Status = ({ query, found }: Pick<FindBarProps, "query" | "found">) => {
  const text = found === undefined ? "" : describe(found, query.trim());
  const hasCount = found !== undefined && found.error === undefined && found.count > 0;
  const isSentence = found !== undefined && !hasCount && !found.isLoading;
  return (
    <p
      role="status"
      className={clsx(
        "min-w-0 text-note wrap-anywhere text-muted tabular-nums",
        // A sentence is in a line of its own.
        isSentence && "order-last basis-full",
      )}
    >
      {/* A new element for a new text, which a translated page would not show in the old one. */}
      <span key={text}>{text}</span>
      {hasCount && (
        <span key={found.snippet} className="sr-only">
          {`: ${found.snippet ?? ""}`}
        </span>
      )}
    </p>
  );
};

const describe = (
  { position, count, hasMore, isLoading, error }: FoundState,
  query: string,
): string => {
  if (error !== undefined) return error;
  if (count > 0) return `${position} of ${count}${hasMore ? "+" : ""}`;
  return isLoading ? "Searching…" : `No messages with “${query}”`;
};
