import { randomUUID } from "node:crypto";
import type { Database } from "@/server/db/database";
import {
  announceWatching,
  PREVIEW_CHANNEL,
  prunePreviewChunks,
  WATCH_CHANNEL,
} from "@/server/db/preview-writes";
import { createPreviewReceiver, type PreviewReceiver } from "./preview-receiver";
import type { PreviewRelay } from "./preview";
import { createPreviewSender, type PreviewSender } from "./preview-sender";

/** Most work that begins is begun here; asking elsewhere waits for that. */
const ASK_MS = 50;
/** How often watchers say that they are still there. */
const REPEAT_MS = 10_000;
/** How long that is believed: two of them may be lost. */
const INTEREST_MS = 25_000;
/** Rows live for a minute; after this long there are none left of what was sent. */
const PRUNE_FOR_MS = 90_000;

type Interest = {
  /** Watching processes, and until when that is believed. */
  until: Map<string, number>;
  sender: PreviewSender;
};
type Options = {
  db: Database;
  relay: PreviewRelay;
  askMs?: number;
  repeatMs?: number;
  interestMs?: number;
};

/**
 * Joins a relay with those of the other processes on the same database. Nothing is written unless
 * somebody watches a chat that is worked on elsewhere.
 */
export const connectPreviews = ({
  db,
  relay,
  askMs = ASK_MS,
  repeatMs = REPEAT_MS,
  interestMs = INTEREST_MS,
}: Options) => {
  const processId = randomUUID();
  const asking = createAsking({ db, relay, processId, askMs });
  const interests = createInterests({ db, relay, processId, interestMs });
  let stops: Promise<(() => Promise<void>)[]> | undefined;

  const listen = () =>
    (stops ??= Promise.all([
      db.listen(WATCH_CHANNEL, interests.hear),
      db.listen(PREVIEW_CHANNEL, asking.hear),
    ]).catch((error: unknown) => {
      stops = undefined;
      throw error;
    }));
  const repeat = async (): Promise<void> => {
    await listen();
    await asking.repeat();
    await interests.prune();
  };
  const timer = setInterval(() => {
    // A round that fails is made up for by the next one.
    repeat().catch(() => undefined);
  }, repeatMs).unref();
  const ready = listen().then(() => undefined);
  ready.catch(() => undefined);
  relay.onWanted((chatId) => asking.ask(chatId));

  return {
    ready,
    close: async (): Promise<void> => {
      clearInterval(timer);
      asking.close();
      for (const stop of (await stops) ?? []) await stop();
      await interests.close();
    },
  };
};

type Sources = { db: Database; relay: PreviewRelay; processId: string };

/** Asks other processes for the previews that watchers here want, and takes them in. */
const createAsking = ({ db, relay, processId, askMs }: Sources & { askMs: number }) => {
  const receivers = new Map<string, PreviewReceiver>();
  const due = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const announce = async (chatIds: string[], again: boolean): Promise<void> => {
    await announceWatching(db, { chatIds: chatIds.filter(relay.isWanted), processId, again });
  };
  const ask = (chatId: string): void => {
    due.add(chatId);
    timer ??= setTimeout(() => {
      timer = undefined;
      const chatIds = [...due];
      due.clear();
      // Unheard, it is repeated soon.
      announce(chatIds, true).catch(() => undefined);
    }, askMs).unref();
  };
  const receiverOf = (chatId: string): PreviewReceiver => {
    const found = receivers.get(chatId);
    if (found) return found;
    const receiver = createPreviewReceiver({ db, relay, chatId, onGap: () => ask(chatId) });
    receivers.set(chatId, receiver);
    return receiver;
  };

  return {
    ask: (chatId: string): void => {
      receivers.get(chatId)?.forget();
      ask(chatId);
    },
    hear: (payload: string): void => {
      const [chatId = ""] = payload.split(" ");
      if (chatId === "") relay.wanted().forEach(ask);
      else if (relay.isWanted(chatId)) receiverOf(chatId).read();
    },
    repeat: async (): Promise<void> => {
      const wanted = new Set(relay.wanted());
      for (const [chatId, receiver] of receivers) {
        if (wanted.has(chatId)) continue;
        receiver.forget();
        receivers.delete(chatId);
      }
      await announce([...wanted], false);
    },
    close: (): void => clearTimeout(timer),
  };
};

/** Knows who watches elsewhere, and sends them what is made here. */
const createInterests = ({
  db,
  relay,
  processId,
  interestMs,
}: Sources & { interestMs: number }) => {
  const interests = new Map<string, Interest>();
  let pruneUntil = 0;
  const interestIn = (chatId: string): Interest => {
    const found = interests.get(chatId);
    if (found) return found;
    const made = { until: new Map(), sender: createPreviewSender({ db, relay, chatId }) };
    interests.set(chatId, made);
    return made;
  };
  const drop = async (chatId: string, { sender }: Interest): Promise<void> => {
    interests.delete(chatId);
    await sender.close();
  };

  return {
    hear: (payload: string): void => {
      const [chatId = "", watcherId = "", again] = payload.split(" ");
      if (watcherId === "" || watcherId === processId) return;
      const { until, sender } = interestIn(chatId);
      if (again !== undefined || !until.has(watcherId)) sender.sendSnapshot();
      until.set(watcherId, performance.now() + interestMs);
    },
    prune: async (): Promise<void> => {
      if (interests.size > 0) pruneUntil = performance.now() + PRUNE_FOR_MS;
      if (performance.now() < pruneUntil) await prunePreviewChunks(db);
      for (const [chatId, interest] of interests) {
        for (const [watcherId, end] of interest.until) {
          if (end < performance.now()) interest.until.delete(watcherId);
        }
        if (interest.until.size === 0) await drop(chatId, interest);
      }
    },
    close: async (): Promise<void> => {
      for (const [chatId, interest] of [...interests]) await drop(chatId, interest);
    },
  };
};
