import { useCallback, useMemo } from "react";
import { z } from "zod";
import type { ChatSummary } from "@/contract/chat";
import { localStore } from "./local-store";
import { useStored } from "./use-stored";

const KEY = "parley.seen";
/** The marks of chats that were not opened for longest are dropped. */
const MAX_MARKS = 500;

const Seen = z.object({
  /** Chats that changed before this moment and have no mark are not told as new. */
  since: z.string(),
  /** The version that was last on the screen, by chat; the newest mark last. */
  versions: z.record(z.string(), z.int()),
});
type Seen = z.infer<typeof Seen>;

/** What this browser has shown of each chat. */
export const useSeen = () => {
  const [stored] = useStored(KEY);
  const seen = useMemo(() => parsed(stored), [stored]);
  const isUnread = (chat: Pick<ChatSummary, "id" | "version" | "updated_at">): boolean => {
    const version = seen?.versions[chat.id];
    if (version !== undefined) return chat.version > version;
    return seen !== undefined && chat.updated_at > seen.since;
  };
  const markSeen = useCallback((chatId: string, version: number): void => {
    const known = parsed(localStore.get(KEY));
    if ((known?.versions[chatId] ?? -1) >= version) return;
    const others = Object.entries(known?.versions ?? {}).filter(([id]) => id !== chatId);
    const versions = { ...Object.fromEntries(others.slice(-MAX_MARKS)), [chatId]: version };
    localStore.set(
      KEY,
      JSON.stringify({ since: known?.since ?? new Date().toISOString(), versions }),
    );
  }, []);
  return { isUnread, markSeen };
};

/** Undefined before the first mark, and when another version of this page kept another shape. */
const parsed = (stored: string | null): Seen | undefined => {
  if (stored === null) return undefined;
  try {
    return Seen.safeParse(JSON.parse(stored)).data;
  } catch {
    return undefined;
  }
};
