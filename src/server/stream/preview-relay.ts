import type { PreviewOp } from "@/contract/stream-event";
import { appendOp, createPreviewLog, type PreviewLog } from "./preview-log";
import { createThrottle } from "./throttle";

/** Deltas within this time are sent together: not visible, and far fewer events than tokens. */
const FLUSH_MS = 30;

/**
 * Publishes an answer that is not committed yet. Calls return at once and never throw; ops are
 * batched by time before they are sent.
 */
export type PreviewWriter = {
  /**
   * Drops everything written so far, as a new attempt begins. Ops before the first reset are dropped.
   *
   * @param historyVersion of the chat as the step was built. Watchers get the preview only while the
   * committed history has this version, so they never see a committed step together with its own
   * preview, nor a preview before the history that it continues.
   */
  reset: (attempt: number, historyVersion: number) => void;
  write: (op: PreviewOp) => void;
  /** Ends the preview: its step is committed or dropped, and watchers read the database. */
  end: () => void;
};

/** One watcher's access to a chat's preview. */
export type PreviewWatch = {
  /** Its log is the preview that is being written, if any. */
  channel: Readonly<Pick<Channel, "log">>;
  /** Sets whether a worker has the chat: only then are other processes asked for its preview. */
  setBusy: (isBusy: boolean) => void;
  close: () => void;
};

/** Writes what another process publishes of a chat. */
type PreviewMirror = {
  begin: (options: { attempt: number; historyVersion: number }) => void;
  write: (ops: readonly PreviewOp[]) => void;
  end: () => void;
};

/** One chat's preview in this process, with its watchers. */
type Channel = {
  log: PreviewLog | undefined;
  watchers: Set<{ wake: () => void; isBusy: boolean }>;
  /** Closes the open batch and wakes the watchers. */
  flushes: ReturnType<typeof createThrottle>;
};

export type PreviewRelay = ReturnType<typeof createPreviewRelay>;

/** Carries previews from the workers of this process to its watchers. */
export const createPreviewRelay = ({ flushMs = FLUSH_MS } = {}) => {
  const channels = new Map<string, Channel>();
  let onWanted: ((chatId: string) => void) | undefined;

  const getChannel = (chatId: string): Channel => {
    const known = channels.get(chatId);
    if (known) return known;
    const flushes = createThrottle(flushMs, () => flush(channel));
    const channel: Channel = { log: undefined, watchers: new Set(), flushes };
    channels.set(chatId, channel);
    return channel;
  };
  const deleteIfUnused = (chatId: string): void => {
    const channel = channels.get(chatId);
    if (channel?.watchers.size === 0 && channel.log?.isMirror !== false) channels.delete(chatId);
  };
  const isWanted = (chatId: string): boolean => {
    const channel = channels.get(chatId);
    if (!channel || channel.log?.isMirror === false) return false;
    return [...channel.watchers].some(({ isBusy }) => isBusy);
  };
  return {
    /** Opens the writer for the one worker of a chat. */
    open: (chatId: string): PreviewWriter =>
      createWriter(
        () => getChannel(chatId),
        () => deleteIfUnused(chatId),
      ),
    /** @param wake called, at a limited rate, when there may be something new. */
    watch: (chatId: string, wake: () => void): PreviewWatch => {
      const channel = getChannel(chatId);
      const watcher = { wake, isBusy: false };
      channel.log?.closeBatch();
      channel.watchers.add(watcher);
      return {
        channel,
        setBusy: (isBusy) => {
          const wasWanted = isWanted(chatId);
          watcher.isBusy = isBusy;
          if (!wasWanted && isWanted(chatId)) onWanted?.(chatId);
          if (!isBusy && channel.log?.isMirror && !isWanted(chatId)) replaceLog(channel, undefined);
        },
        close: () => {
          channel.watchers.delete(watcher);
          deleteIfUnused(chatId);
        },
      };
    },
    mirror: (chatId: string): PreviewMirror => createMirror(() => channels.get(chatId)),
    /** Whether a watcher here needs the chat's preview from another process. */
    isWanted,
    listWanted: (): string[] => [...channels.keys()].filter(isWanted),
    /** @param listener called when a chat becomes wanted. */
    onWanted: (listener: (chatId: string) => void): void => void (onWanted = listener),
  };
};

const flush = ({ log, watchers }: Channel): void => {
  if (log?.closeBatch()) watchers.forEach(({ wake }) => wake());
};

const replaceLog = (channel: Channel, next: PreviewLog | undefined): void => {
  if (channel.log) channel.log.isEnded = true;
  channel.flushes.cancel();
  channel.log = next;
  channel.watchers.forEach(({ wake }) => wake());
};

/** Starts alone show nothing, so they open no batch of their own. */
const STARTS: ReadonlySet<PreviewOp["op"]> = new Set([
  "text-start",
  "reasoning-start",
  "tool-call-start",
]);

const createWriter = (getChannel: () => Channel, onEnd: () => void): PreviewWriter => {
  let current: { channel: Channel; log: PreviewLog } | undefined;
  return {
    reset: (attempt, historyVersion) => {
      current = { channel: getChannel(), log: createPreviewLog({ attempt, historyVersion }) };
      replaceLog(current.channel, current.log);
    },
    write: (op) => {
      if (!current || current.log.isEnded) return;
      const { channel, log } = current;
      appendOp(log.pending, op);
      // Without watchers the batch stays open for the next one.
      if (channel.watchers.size === 0) return;
      if (STARTS.has(op.op)) channel.flushes.trailing();
      else channel.flushes.leading();
    },
    end: () => {
      if (current && current.channel.log === current.log) replaceLog(current.channel, undefined);
      current = undefined;
      onEnd();
    },
  };
};

/** A preview of another process is ignored while this process writes its own. */
const createMirror = (findChannel: () => Channel | undefined): PreviewMirror => {
  const replaceMirror = (mirror: PreviewLog | undefined): void => {
    const channel = findChannel();
    if (!channel || channel.log?.isMirror === false) return;
    if (channel.log ?? mirror) replaceLog(channel, mirror);
  };
  return {
    begin: (options) => replaceMirror(createPreviewLog({ ...options, isMirror: true })),
    write: (ops) => {
      const channel = findChannel();
      if (!channel?.log?.isMirror) return;
      for (const op of ops) appendOp(channel.log.pending, op);
      flush(channel);
    },
    end: () => replaceMirror(undefined),
  };
};
