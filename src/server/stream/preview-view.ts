import type { PreviewEvent, PreviewResetEvent } from "./chat-event";
import type { PreviewWatch } from "./preview-channel";
import type { PreviewCursor, PreviewLog } from "./preview-log";

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
  const begin = function* (log: PreviewLog): Generator<PreviewEvent | PreviewResetEvent> {
    const begun = log.begin();
    if (!begun && !shown) return;
    shown = { log, cursor: begun?.cursor ?? { next: 0, offset: 0 } };
    yield { type: "preview-reset", attempt: log.attempt };
    if (begun) yield begun.event;
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
     * @returns what to call when it is done: whether the client must drop what it holds.
     */
    beforeRead: () => {
      const before = watch.current();
      const wasOver = shown?.log.isEnded() ?? false;
      asked = before;
      return (historyVersion: number, isBusy: boolean): boolean => {
        // Work that was shown before the chat was seen at rest has ended, perhaps unheard.
        if (!isBusy && before) dead = before;
        if (!shown) return false;
        const { log } = shown;
        if (!wasOver && log !== dead && log.historyVersion === historyVersion) return false;
        shown = undefined;
        return true;
      };
    },
    /** What the client can be told now, one batch at a time. */
    news: function* (historyVersion: number): Generator<PreviewEvent | PreviewResetEvent> {
      const log = visible(historyVersion);
      if (!log) return;
      if (shown?.log !== log) return yield* begin(log);
      const event = log.next(shown.cursor);
      if (event === "behind") yield* begin(log);
      else if (event) yield event;
    },
  };
};
