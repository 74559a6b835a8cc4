import { useCallback, useMemo } from "react";
import { z } from "zod";
import type { ChatSummary } from "@/contract/chat";
import { localStore, useStoredValue } from "./local-store";

const KEY = "parley.seen";
/** Above this number, the marks of the chats read longest ago are dropped. */
const MAX_MARKS = 500;

const ReadMarks = z.object({
  /** A chat without a mark is unread only if it changed after this moment. */
  since: z.string(),
  /** The last version shown, by chat id; the newest mark last. */
  versions: z.record(z.string(), z.int()),
});
type ReadMarks = z.infer<typeof ReadMarks>;

/** Stores which version of each chat this browser has shown. */
export const useReadMarks = () => {
  const [stored] = useStoredValue(KEY);
  const marks = useMemo(() => parseReadMarks(stored), [stored]);
  const isUnread = (chat: Pick<ChatSummary, "id" | "version" | "updated_at">): boolean => {
    const version = marks?.versions[chat.id];
    if (version !== undefined) return chat.version > version;
    return marks !== undefined && chat.updated_at > marks.since;
  };
  const markRead = useCallback((chatId: string, version: number): void => {
    const current = parseReadMarks(localStore.get(KEY));
    if ((current?.versions[chatId] ?? -1) >= version) return;
    const others = Object.entries(current?.versions ?? {}).filter(([id]) => id !== chatId);
    const versions = { ...Object.fromEntries(others.slice(-MAX_MARKS)), [chatId]: version };
    localStore.set(
      KEY,
      JSON.stringify({ since: current?.since ?? new Date().toISOString(), versions }),
    );
  }, []);
  return { isUnread, markRead };
};

export const deleteReadMark = (chatId: string): void => {
  const current = parseReadMarks(localStore.get(KEY));
  if (current?.versions[chatId] === undefined) return;
  const others = Object.entries(current.versions).filter(([id]) => id !== chatId);
  localStore.set(KEY, JSON.stringify({ ...current, versions: Object.fromEntries(others) }));
};

/** @returns undefined before the first mark, or if another version of the page stored another shape. */
const parseReadMarks = (stored: string | null): ReadMarks | undefined => {
  if (stored === null) return undefined;
  try {
    return ReadMarks.safeParse(JSON.parse(stored)).data;
  } catch {
    return undefined;
  }
};
