"use client";
import { useEffect, useEffectEvent, useState } from "react";
import { useFoundMessages } from "@/client/use-found-messages";
import { FindBar } from "@/components/chat/find-bar";
import { useMatchHighlights } from "@/components/chat/use-match-highlights";
import type { FoundMessage } from "@/contract/message";
import type { FindBarProps } from "./find-bar-props";

/** A person who types on wants the longer text. */
const TYPING_MS = 150;

/** Finds a text in all messages of a chat, also in those that the page has not loaded. */
const FindInChat = ({ chatId, typed, openCount, onShow, onClose }: FindBarProps) => {
  const [query, setQuery] = useState(typed);
  const q = useSettledText(query.trim());
  const { messages, isLoading, error, hasMore, loadMore } = useFoundMessages(chatId, q);
  const [shown, setShown] = useState({ q, index: 0, count: 0 });
  const index = shown.q === q ? shown.index : 0;
  const message = messages[index];
  useMatchHighlights({ q, shownId: message?.id, showCount: shown.count });
  const show = (all: readonly FoundMessage[], next: number): void => {
    const target = all[next];
    if (!target) return;
    setShown(({ count }) => {
      return { q, index: next, count: count + 1 };
    });
    onShow(target.seq);
  };
  const move = async (by: 1 | -1): Promise<void> => {
    const next = index + by;
    const all = next === messages.length && hasMore ? await loadMore() : messages;
    // Goes on at the other end.
    show(all, (next + all.length) % all.length);
  };
  const showNewest = useEffectEvent((seq: number) => onShow(seq));
  const newestSeq = messages[0]?.seq;
  // Syncs with the scroll position of the messages.
  useEffect(() => {
    if (newestSeq !== undefined) showNewest(newestSeq);
  }, [q, newestSeq]);
  const restoreFocus = useFocusBefore();
  return (
    <FindBar
      query={query}
      onQueryChange={setQuery}
      found={
        q === ""
          ? undefined
          : {
              position: index + 1,
              count: messages.length,
              hasMore,
              snippet: message?.snippet,
              isLoading: isLoading || q !== query.trim(),
              error,
            }
      }
      openCount={openCount}
      onMove={(by) => void move(by).catch(reportError)}
      onClose={() => {
        onClose();
        restoreFocus();
      }}
    />
  );
};

export default FindInChat;

/** @returns the text once it has not changed for a moment; no text is settled at once. */
const useSettledText = (text: string): string => {
  const [settled, setSettled] = useState(text);
  // Syncs with the clock.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return text === "" ? "" : settled;
};

/** @returns gives the focus back to what had it, or else to the messages. */
const useFocusBefore = (): (() => void) => {
  const [before] = useState(() => document.activeElement);
  return () => {
    const messages = document.querySelector<HTMLElement>("[role=log]");
    const target =
      before instanceof HTMLElement && before.isConnected && before !== document.body
        ? before
        : messages;
    target?.focus({ preventScroll: true });
  };
};
