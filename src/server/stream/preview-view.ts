import type { PreviewWatch } from "./preview-relay";
import type { PreviewCursor, PreviewLog } from "./preview-log";
import type { PreviewEvent, PreviewResetEvent } from "./stream-event";

type PreviewEvents = (PreviewEvent | PreviewResetEvent)[];

type ReadResult = {
  historyVersion: number;
  attempt: number;
  /** A worker has the chat, or should have it. */
  isBusy: boolean;
  /** The client may hold a preview from an earlier connection. */
  isFirst: boolean;
};

/**
 * Tracks which preview one client holds. It may hold one only while its committed history is the one
 * that the preview continues. A client that is behind gets everything so far as one batch.
 */
export const createPreviewView = ({ channel }: Pick<PreviewWatch, "channel">) => {
  let shown: { log: PreviewLog; cursor: PreviewCursor } | undefined;
  /** A preview whose work has ended: never shown again. */
  let staleLog: PreviewLog | undefined;
  /** The preview that was current at the last read. */
  let lastCheckedLog: PreviewLog | undefined;

  /** @returns the preview that continues this history. */
  const findVisible = (historyVersion: number): PreviewLog | undefined => {
    const { log } = channel;
    return log !== staleLog && log?.historyVersion === historyVersion ? log : undefined;
  };
  const show = (log: PreviewLog): PreviewEvents => {
    const snapshot = log.takeSnapshot();
    shown = { log, cursor: snapshot?.cursor ?? { next: 0, offset: 0 } };
    const reset: PreviewResetEvent = { type: "preview-reset", attempt: log.attempt };
    return snapshot ? [reset, snapshot.event] : [reset];
  };

  return {
    /** True if the client must re-read: its preview ended, or a newer history has one. */
    needsRead: (historyVersion: number): boolean => {
      const { log } = channel;
      if (log && log !== lastCheckedLog && log.historyVersion > historyVersion) return true;
      return shown !== undefined && shown.log.isEnded && !findVisible(historyVersion);
    },
    /**
     * Call it before the database is read.
     *
     * @returns a function for the result of the read, which returns the preview events to send after it.
     */
    beginRead: () => {
      const { log: before } = channel;
      const hadEnded = shown?.log.isEnded ?? false;
      lastCheckedLog = before;
      return ({ historyVersion, attempt, isBusy, isFirst }: ReadResult): PreviewEvents => {
        // The chat rests, so a preview from before the read has ended, even if its end was lost.
        if (!isBusy && before) staleLog = before;
        const isStillShown =
          shown &&
          !hadEnded &&
          shown.log !== staleLog &&
          shown.log.historyVersion === historyVersion;
        if (isStillShown || (!shown && !isFirst)) return [];
        shown = undefined;
        const log = findVisible(historyVersion);
        return log ? show(log) : [{ type: "preview-reset", attempt }];
      };
    },
    /** Takes the next batch that the client is missing. */
    take: (historyVersion: number): PreviewEvents => {
      const log = findVisible(historyVersion);
      if (!log) return [];
      if (shown?.log !== log) return shown || log.count > 0 ? show(log) : [];
      const event = log.takeNext(shown.cursor);
      if (event === "behind") return show(log);
      return event ? [event] : [];
    },
  };
};
