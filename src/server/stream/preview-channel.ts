import type { PreviewOp } from "@/contract/stream-event";
import { createPreviewLog, type PreviewLog } from "./preview-log";
import { createThrottle } from "./throttle";

type Watcher = { wake: () => void; isBusy: boolean };

/** One watcher's access to a chat's preview. */
export type PreviewWatch = {
  /** The preview that is being written, if any. */
  current: () => PreviewLog | undefined;
  /** Sets whether a worker has the chat: only then are other processes asked for its preview. */
  setBusy: (isBusy: boolean) => void;
  close: () => void;
};

/** One chat's preview in this process, with its writer and its watchers. */
export const createPreviewChannel = (flushMs: number) => {
  const watchers = new Set<Watcher>();
  let log: PreviewLog | undefined;

  const wakeAll = (): void => watchers.forEach(({ wake }) => wake());
  const flush = (): void => {
    if (log?.closeBatch()) wakeAll();
  };
  const throttle = createThrottle(flushMs, flush);
  const replace = (next: PreviewLog | undefined): void => {
    log?.end();
    throttle.cancel();
    log = next;
    wakeAll();
  };
  const isLocal = (): boolean => log !== undefined && !log.isMirror;
  const isWanted = (): boolean => !isLocal() && [...watchers].some(({ isBusy }) => isBusy);

  return {
    current: (): PreviewLog | undefined => log,
    /** Whether it has neither a local writer nor a watcher. */
    isUnused: (): boolean => watchers.size === 0 && !isLocal(),
    /** Whether a watcher here needs the preview of another process. */
    isWanted,
    begin: (options: { attempt: number; historyVersion: number }): PreviewLog => {
      const begun = createPreviewLog(options);
      replace(begun);
      return begun;
    },
    write: (target: PreviewLog, op: PreviewOp): void => {
      if (target.isEnded()) return;
      target.write(op);
      // Without watchers the batch stays open for the next one.
      if (watchers.size === 0) return;
      if (isStart(op)) throttle.trailing();
      else throttle.leading();
    },
    end: (ended: PreviewLog): void => {
      if (log === ended) replace(undefined);
    },
    /** @param mirror the preview of another process; ignored while this process writes its own. */
    setMirror: (mirror: PreviewLog | undefined): void => {
      if (!isLocal() && (log ?? mirror)) replace(mirror);
    },
    writeMirror: (ops: readonly PreviewOp[]): void => {
      if (!log?.isMirror) return;
      ops.forEach(log.write);
      flush();
    },
    watch: (wake: () => void): PreviewWatch => {
      const watcher: Watcher = { wake, isBusy: false };
      log?.closeBatch();
      watchers.add(watcher);
      return {
        current: () => log,
        setBusy: (isBusy) => {
          watcher.isBusy = isBusy;
          if (!isBusy && log?.isMirror && !isWanted()) replace(undefined);
        },
        close: () => void watchers.delete(watcher),
      };
    },
  };
};
export type PreviewChannel = ReturnType<typeof createPreviewChannel>;

/** A start alone shows nothing, so it opens no batch of its own. */
const isStart = ({ op }: PreviewOp): boolean =>
  op === "text-start" || op === "reasoning-start" || op === "tool-call-start";
