/** The channel of earlier versions, which take for a gap what they cannot read. */
export const CHANGE_CHANNEL = "parley_chat";
/** What happens within this time is one notification. */
const GATHER_MS = 5;
/** After a failure, as the connection is opened again meanwhile. */
const RETRY_MS = 1_000;
/** Notices that wait for the server; while it is away, nothing is committed. */
const MAX_PENDING = 10_000;
/** A payload has fewer than 8,000 bytes. */
const MAX_BYTES = 7_900;

/** How long notices are kept for a process that starts: it asks for the others after it has begun to listen. */
const KEPT_MS = 1_000;
const MAX_KEPT = 1_000;

/** The first line ends with a space, by which an earlier version does not take one notice for its own. */
const writePayload = (id: string, notices: readonly string[]): string =>
  [`${id} `, ...notices].join("\n");

/** @returns the notices of another process. */
export const readPayload = (payload: string, ownId: string): string[] => {
  const [first = "", ...notices] = payload.split("\n");
  const id = first.trimEnd();
  if (id === ownId) return [];
  // An earlier version sends single notices.
  return notices.length === 0 ? [payload] : notices;
};

/** @returns false if the notification could not be sent. */
export type Notify = (channel: string, payload: string) => Promise<boolean>;

/** What sends notices to the other processes. */
type SenderDeps = { id: string; notify: Notify; isAlone: () => boolean };

export const createNoticeSender = ({ id, notify, isAlone }: SenderDeps) => {
  let pending: string[] = [];
  /** What was not sent, as this process was alone. */
  let kept: { notice: string; at: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sentAt = Number.NEGATIVE_INFINITY;
  let sending: Promise<void> | undefined;
  const listKept = (now: number) => kept.filter(({ at }) => at > now - KEPT_MS).slice(-MAX_KEPT);
  const keep = (): void => {
    const at = performance.now();
    kept = [...listKept(at), ...pending.map((notice) => ({ notice, at }))];
    pending = [];
  };
  const sendAll = async (): Promise<void> => {
    if (isAlone()) return keep();
    while (pending.length > 0) {
      const batch = takeBatch(pending);
      if (await notify(CHANGE_CHANNEL, writePayload(id, batch))) continue;
      pending.unshift(...batch);
      // The others read all that they watch again.
      if (pending.length > MAX_PENDING) pending = [""];
      return schedule(RETRY_MS);
    }
  };
  const schedule = (delayMs: number): void => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        sentAt = performance.now();
        sending ??= sendAll().finally(() => {
          sending = undefined;
        });
      },
      Math.max(0, sentAt + delayMs - performance.now()),
    ).unref();
  };
  return {
    send: (notices: readonly string[]): void => {
      pending.push(...notices);
      if (notices.length > 0) schedule(GATHER_MS);
    },
    /** Sends what another process may have missed before it was known. */
    sendKept: (): void => {
      pending.unshift(...listKept(performance.now()).map(({ notice }) => notice));
      kept = [];
      if (pending.length > 0) schedule(0);
    },
    /** Sends what is left. */
    close: async (): Promise<void> => {
      clearTimeout(timer);
      await sending;
      await sendAll();
    },
  };
};

/** Takes as many as fit into one payload, of which one always does. */
const takeBatch = (pending: string[]): string[] => {
  let bytes = 40;
  const end = pending.findIndex((notice) => {
    bytes += Buffer.byteLength(notice) + 1;
    return bytes > MAX_BYTES;
  });
  return pending.splice(0, end < 0 ? pending.length : Math.max(1, end));
};
