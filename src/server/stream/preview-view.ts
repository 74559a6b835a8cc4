import type { PreviewEvent, PreviewResetEvent } from "./stream-event";
import type { PreviewWatch } from "./preview-channel";
import type { PreviewCursor, PreviewLog } from "./preview-log";

type PreviewNews = (PreviewEvent | PreviewResetEvent)[];

type AfterRead = {
  historyVersion: number;
  attempt: number;
  /** A worker has the chat, or should have it. */
  isBusy: boolean;
  /** The client may hold a preview from an earlier connection. */
  isFirst: boolean;
};

/**
 * What one client holds of a chat's previews. It may hold a preview exactly while the history that
 * the client has is the one that the preview continues; it is told nothing twice, and when it is
 * slow, everything so far as one batch.
 */
export const createPreviewView = (watch: PreviewWatch) => {
  let shown: { log: PreviewLog; cursor: PreviewCursor } | undefined;
  let dead: PreviewLog | undefined;
  let asked: PreviewLog | undefined;

  /** The preview that continues this history, if there is one. */
  const visible = (historyVersion: number): PreviewLog | undefined => {
    const log = watch.current();
    return log !== dead && log?.historyVersion === historyVersion ? log : undefined;
  };
  const reset = (attempt: number): PreviewResetEvent => ({ type: "preview-reset", attempt });
  const begin = (log: PreviewLog): PreviewNews => {
    const begun = log.begin();
    shown = { log, cursor: begun?.cursor ?? { next: 0, offset: 0 } };
    return begun ? [reset(log.attempt), begun.event] : [reset(log.attempt)];
  };

  return {
    /**
     * The answer that the client holds is over, or one is made that continues a newer history:
     * only the database can tell.
     */
    needsRead: (historyVersion: number): boolean => {
      const log = watch.current();
      if (log && log !== asked && log.historyVersion > historyVersion) return true;
      return shown !== undefined && shown.log.isEnded() && !visible(historyVersion);
    },
    /**
     * To be called as a read of the database begins.
     *
     * @returns what to call when it is done, which says what to tell of previews after it.
     */
    beforeRead: () => {
      const before = watch.current();
      const wasOver = shown?.log.isEnded() ?? false;
      asked = before;
      return ({ historyVersion, attempt, isBusy, isFirst }: AfterRead): PreviewNews => {
        // Work that was told of before the chat was seen at rest has ended, perhaps unheard.
        if (!isBusy && before) dead = before;
        const isKept =
          shown && !wasOver && shown.log !== dead && shown.log.historyVersion === historyVersion;
        if (isKept || (!shown && !isFirst)) return [];
        shown = undefined;
        const log = visible(historyVersion);
        return log ? begin(log) : [reset(attempt)];
      };
    },
    /** What the client can be told now, one batch at a time. */
    news: (historyVersion: number): PreviewNews => {
      const log = visible(historyVersion);
      if (!log) return [];
      if (shown?.log !== log) return shown || log.hasBatches() ? begin(log) : [];
      const event = log.next(shown.cursor);
      if (event === "behind") return begin(log);
      return event ? [event] : [];
    },
  };
};
