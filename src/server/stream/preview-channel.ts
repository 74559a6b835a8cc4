import type { PreviewOp } from "@/contract/stream-event";
import { createThrottle } from "./throttle";
import { createPreviewLog, type PreviewLog } from "./preview-log";

type Watcher = { wake: () => void; expectsWork: boolean };

/** One watcher's view of a chat's preview. */
export type PreviewWatch = {
  /** The preview that is being told, if any. */
  current: () => PreviewLog | undefined;
  /**
   * Says whether the chat is being worked on, as far as the watcher knows: only then is it worth
   * asking other processes for the preview.
   */
  expect: (isBusy: boolean) => void;
  close: () => void;
};

/** One chat's preview in this process: who tells it and who watches. */
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
  const isMadeHere = (): boolean => log !== undefined && !log.isMirror;
  const isWanted = (): boolean =>
    !isMadeHere() && [...watchers].some(({ expectsWork }) => expectsWork);

  return {
    current: (): PreviewLog | undefined => log,
    /** Nobody tells and nobody watches. */
    isUnused: (): boolean => watchers.size === 0 && !isMadeHere(),
    /** Somebody here watches work that is done elsewhere. */
    isWanted,
    begin: (options: { attempt: number; historyVersion: number }): PreviewLog => {
      const begun = createPreviewLog(options);
      replace(begun);
      return begun;
    },
    tell: (told: PreviewLog, op: PreviewOp): void => {
      if (told.isEnded()) return;
      told.write(op);
      // While nobody watches, the batch stays open until somebody comes.
      if (watchers.size === 0) return;
      if (isStart(op)) throttle.trailing();
      else throttle.leading();
    },
    end: (ended: PreviewLog): void => {
      if (log === ended) replace(undefined);
    },
    /** @param mirrored what another process tells; ignored while the chat is worked on here. */
    mirror: (mirrored: PreviewLog | undefined): void => {
      if (!isMadeHere() && (log ?? mirrored)) replace(mirrored);
    },
    tellMirrored: (ops: readonly PreviewOp[]): void => {
      if (!log?.isMirror) return;
      ops.forEach(log.write);
      flush();
    },
    watch: (wake: () => void): PreviewWatch => {
      const watcher: Watcher = { wake, expectsWork: false };
      log?.closeBatch();
      watchers.add(watcher);
      return {
        current: () => log,
        expect: (isBusy) => {
          watcher.expectsWork = isBusy;
          if (!isBusy && log?.isMirror && !isWanted()) replace(undefined);
        },
        close: () => void watchers.delete(watcher),
      };
    },
  };
};
export type PreviewChannel = ReturnType<typeof createPreviewChannel>;

/** Nothing is seen of a start alone, so it does not open a batch of its own. */
const isStart = ({ op }: PreviewOp): boolean =>
  op === "text-start" || op === "reasoning-start" || op === "tool-call-start";
