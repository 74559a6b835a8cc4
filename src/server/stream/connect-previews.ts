import { randomUUID } from "node:crypto";
import { createPoller } from "@/lib/poller";
import type { Database } from "@/server/db/connection/database";
import {
  announceWatching,
  PREVIEW_CHANNEL,
  prunePreviewChunks,
  WATCH_CHANNEL,
} from "@/server/db/sql/writes/preview-writes";
import type { PreviewRelay } from "./preview-relay";
import { createPreviewReceiver, type PreviewReceiver } from "./preview-receiver";
import { createPreviewSender, type PreviewSender } from "./preview-sender";

/** Most turns start in their watchers' process within this time, so no other process is asked. */
const REQUEST_DELAY_MS = 50;
/** How often watchers repeat their requests. */
const HEARTBEAT_MS = 10_000;
/** How long a request is valid: two heartbeats may be lost. */
const REQUEST_TTL_MS = 25_000;
/** Rows live for a minute, so none is left this long after the last request. */
const PRUNE_FOR_MS = 90_000;

type Options = {
  db: Database;
  relay: PreviewRelay;
  requestDelayMs?: number;
  heartbeatMs?: number;
  requestTtlMs?: number;
};

/**
 * Connects a relay with those of other processes on the same database. Rows are written only while a
 * process watches a chat that another one works on.
 */
export const connectPreviews = ({
  db,
  relay,
  requestDelayMs = REQUEST_DELAY_MS,
  heartbeatMs = HEARTBEAT_MS,
  requestTtlMs = REQUEST_TTL_MS,
}: Options) => {
  const processId = randomUUID();
  const incoming = createIncomingPreviews({ db, relay, processId, requestDelayMs });
  const outgoing = createOutgoingPreviews({ db, relay, processId, requestTtlMs });
  let stops: Promise<(() => Promise<void>)[]> | undefined;

  const listen = () =>
    (stops ??= Promise.all([
      db.listen(WATCH_CHANNEL, outgoing.handleRequest),
      db.listen(PREVIEW_CHANNEL, incoming.handleNotice),
    ]).catch((error: unknown) => {
      stops = undefined;
      throw error;
    }));
  const beat = async (): Promise<void> => {
    await listen();
    await incoming.repeat();
    await outgoing.prune();
  };
  const heartbeats = createPoller({
    intervalMs: heartbeatMs,
    run: beat,
    // The next heartbeat makes up for a failed one.
    onError: () => undefined,
    isBackground: true,
  });
  const ready = listen().then(() => undefined);
  ready.catch(() => undefined);
  relay.onWanted((chatId) => incoming.request(chatId));

  return {
    ready,
    close: async (): Promise<void> => {
      incoming.close();
      await heartbeats.stop();
      for (const stop of (await stops) ?? []) await stop();
      await outgoing.close();
    },
  };
};

type PreviewDeps = { db: Database; relay: PreviewRelay; processId: string };

/** Requests the previews that watchers here want from other processes, and receives them. */
const createIncomingPreviews = ({
  db,
  relay,
  processId,
  requestDelayMs,
}: PreviewDeps & { requestDelayMs: number }) => {
  const receivers = new Map<string, PreviewReceiver>();
  const due = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const announce = async (chatIds: string[], again: boolean): Promise<void> => {
    await announceWatching(db, { chatIds: chatIds.filter(relay.isWanted), processId, again });
  };
  const scheduleRequest = (chatId: string): void => {
    due.add(chatId);
    timer ??= setTimeout(() => {
      timer = undefined;
      const chatIds = [...due];
      due.clear();
      // The next heartbeat makes up for a failed request.
      announce(chatIds, true).catch(() => undefined);
    }, requestDelayMs).unref();
  };
  const getReceiver = (chatId: string): PreviewReceiver => {
    const found = receivers.get(chatId);
    if (found) return found;
    const onGap = (): void => scheduleRequest(chatId);
    const receiver = createPreviewReceiver({ db, relay, chatId, onGap });
    receivers.set(chatId, receiver);
    return receiver;
  };

  return {
    request: (chatId: string): void => {
      receivers.get(chatId)?.reset();
      scheduleRequest(chatId);
    },
    handleNotice: (payload: string): void => {
      const [chatId = ""] = payload.split(" ");
      if (chatId === "") relay.listWanted().forEach(scheduleRequest);
      else if (relay.isWanted(chatId)) getReceiver(chatId).read();
    },
    /** Repeats the requests that are still wanted. */
    repeat: async (): Promise<void> => {
      const wanted = new Set(relay.listWanted());
      for (const [chatId, receiver] of receivers) {
        if (wanted.has(chatId)) continue;
        receiver.reset();
        receivers.delete(chatId);
      }
      await announce([...wanted], false);
    },
    close: (): void => clearTimeout(timer),
  };
};

type RequestedPreview = {
  /** The end of each requesting process's last request, by the process's id. */
  validUntil: Map<string, number>;
  sender: PreviewSender;
};

/** Sends the previews written here to the processes that request them. */
const createOutgoingPreviews = ({
  db,
  relay,
  processId,
  requestTtlMs,
}: PreviewDeps & { requestTtlMs: number }) => {
  const requested = new Map<string, RequestedPreview>();
  let pruneUntil = 0;
  const getRequested = (chatId: string): RequestedPreview => {
    const found = requested.get(chatId);
    if (found) return found;
    const created = { validUntil: new Map(), sender: createPreviewSender({ db, relay, chatId }) };
    requested.set(chatId, created);
    return created;
  };
  const stop = async (chatId: string, { sender }: RequestedPreview): Promise<void> => {
    requested.delete(chatId);
    await sender.close();
  };

  return {
    handleRequest: (payload: string): void => {
      const [chatId = "", watcherId = "", again] = payload.split(" ");
      if (watcherId === "" || watcherId === processId) return;
      const { validUntil, sender } = getRequested(chatId);
      if (again !== undefined || !validUntil.has(watcherId)) sender.sendSnapshot();
      validUntil.set(watcherId, performance.now() + requestTtlMs);
    },
    /** Stops sending what no process requests any more, and deletes old rows. */
    prune: async (): Promise<void> => {
      if (requested.size > 0) pruneUntil = performance.now() + PRUNE_FOR_MS;
      if (performance.now() < pruneUntil) await prunePreviewChunks(db);
      for (const [chatId, preview] of requested) {
        for (const [watcherId, end] of preview.validUntil) {
          if (end < performance.now()) preview.validUntil.delete(watcherId);
        }
        if (preview.validUntil.size === 0) await stop(chatId, preview);
      }
    },
    close: async (): Promise<void> => {
      for (const [chatId, preview] of [...requested]) await stop(chatId, preview);
    },
  };
};
