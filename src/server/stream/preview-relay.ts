import type { PreviewRelay, PreviewWriter } from "./preview";
import { createPreviewChannel, type PreviewChannel } from "./preview-channel";
import { createPreviewLog, type PreviewLog } from "./preview-log";

/** Deltas within this time are sent together: not visible, and far fewer events than tokens. */
const FLUSH_MS = 30;

export const createPreviewRelay = ({ flushMs = FLUSH_MS } = {}): PreviewRelay => {
  const channels = new Map<string, PreviewChannel>();
  let onWanted: ((chatId: string) => void) | undefined;

  const getChannel = (chatId: string): PreviewChannel => {
    const channel = channels.get(chatId) ?? createPreviewChannel(flushMs);
    channels.set(chatId, channel);
    return channel;
  };
  const deleteIfUnused = (chatId: string): void => {
    if (channels.get(chatId)?.isUnused()) channels.delete(chatId);
  };
  const isWanted = (chatId: string): boolean => channels.get(chatId)?.isWanted() ?? false;

  return {
    open: (chatId) =>
      createWriter(
        () => getChannel(chatId),
        () => deleteIfUnused(chatId),
      ),
    watch: (chatId, wake) => {
      const watch = getChannel(chatId).watch(wake);
      return {
        current: watch.current,
        setBusy: (isBusy) => {
          const wasWanted = isWanted(chatId);
          watch.setBusy(isBusy);
          if (!wasWanted && isWanted(chatId)) onWanted?.(chatId);
        },
        close: () => {
          watch.close();
          deleteIfUnused(chatId);
        },
      };
    },
    mirror: (chatId) => ({
      begin: (options) =>
        channels.get(chatId)?.setMirror(createPreviewLog({ ...options, isMirror: true })),
      write: (ops) => channels.get(chatId)?.writeMirror(ops),
      end: () => channels.get(chatId)?.setMirror(undefined),
    }),
    isWanted,
    listWanted: () => [...channels.keys()].filter(isWanted),
    onWanted: (listener) => void (onWanted = listener),
  };
};

const createWriter = (getChannel: () => PreviewChannel, onEnd: () => void): PreviewWriter => {
  let current: { channel: PreviewChannel; log: PreviewLog } | undefined;
  return {
    reset: (attempt, historyVersion) => {
      const channel = getChannel();
      current = { channel, log: channel.begin({ attempt, historyVersion }) };
    },
    write: (op) => current?.channel.write(current.log, op),
    end: () => {
      current?.channel.end(current.log);
      current = undefined;
      onEnd();
    },
  };
};
