import { perDatabase } from "@/server/db/per-database";
import type { PreviewRelay, PreviewWriter } from "./preview";
import { createPreviewChannel, type PreviewChannel } from "./preview-channel";
import { connectPreviews } from "./connect-previews";
import { createPreviewLog, type PreviewLog } from "./preview-log";

/** Deltas of this long travel together: below what an eye sees, far above one event per token. */
const FLUSH_MS = 30;

export const createPreviewRelay = ({ flushMs = FLUSH_MS } = {}): PreviewRelay => {
  const channels = new Map<string, PreviewChannel>();
  let onWanted: ((chatId: string) => void) | undefined;

  const channelOf = (chatId: string): PreviewChannel => {
    const channel = channels.get(chatId) ?? createPreviewChannel(flushMs);
    channels.set(chatId, channel);
    return channel;
  };
  const forgetIfUnused = (chatId: string): void => {
    if (channels.get(chatId)?.isUnused()) channels.delete(chatId);
  };
  const isWanted = (chatId: string): boolean => channels.get(chatId)?.isWanted() ?? false;

  return {
    open: (chatId) =>
      createWriter(
        () => channelOf(chatId),
        () => forgetIfUnused(chatId),
      ),
    watch: (chatId, wake) => {
      const watch = channelOf(chatId).watch(wake);
      return {
        current: watch.current,
        expect: (isBusy) => {
          const wasWanted = isWanted(chatId);
          watch.expect(isBusy);
          if (!wasWanted && isWanted(chatId)) onWanted?.(chatId);
        },
        close: () => {
          watch.close();
          forgetIfUnused(chatId);
        },
      };
    },
    mirror: (chatId) => ({
      begin: (options) =>
        channels.get(chatId)?.mirror(createPreviewLog({ ...options, isMirror: true })),
      tell: (ops) => channels.get(chatId)?.tellMirrored(ops),
      end: () => channels.get(chatId)?.mirror(undefined),
    }),
    isWanted,
    wanted: () => [...channels.keys()].filter(isWanted),
    onWanted: (listener) => void (onWanted = listener),
  };
};

const createWriter = (channelOf: () => PreviewChannel, onEnd: () => void): PreviewWriter => {
  let told: { channel: PreviewChannel; log: PreviewLog } | undefined;
  return {
    reset: (attempt, historyVersion) => {
      const channel = channelOf();
      told = { channel, log: channel.begin({ attempt, historyVersion }) };
    },
    write: (op) => told?.channel.tell(told.log, op),
    end: () => {
      told?.channel.end(told.log);
      told = undefined;
      onEnd();
    },
  };
};

/** The process's relay, joined with those of the other processes on the same database. */
export const previewRelay = perDatabase("preview-relay", (db): PreviewRelay => {
  const relay = createPreviewRelay();
  connectPreviews({ db, relay });
  return relay;
});
