import { toViewerKey, type Viewer } from "@/server/db/chats/viewer";
import type { ChatNotice, Notifications } from "./notifications";

/** A request that waits for calls. */
type Waiting = {
  /** Requests with the same key want the same calls: when one gets none, the others need not ask. */
  key: string;
  /** Must not throw; a failure settles the request. */
  tryToClaim: () => Promise<boolean>;
  isTrying: boolean;
};

type ViewerQueue = {
  waiting: Set<Waiting>;
  notices: number;
  /** Asks those who wait, one after the other, once more if that goes on already. */
  ask: () => void;
  /** Asks those who wait when the next call is offered that was given back for a time. */
  wakeUp: ReturnType<typeof createWakeUp>;
  unsubscribe: () => void;
};

export type ClaimQueue = ReturnType<typeof createClaimQueue>;

/**
 * The requests of this process that wait for open calls. When a chat opens one, those who wait are asked in the order in which
 * they came, until none is left for them: a thousand programs that wait cost one statement for each call that one of them
 * gets, and one for each kind of calls that they want.
 */
export const createClaimQueue = ({
  notifications,
}: {
  notifications: Pick<Notifications, "ready" | "subscribeViewer">;
}) => {
  const queues = new Map<string, ViewerQueue>();

  const open = (viewer: Viewer): ViewerQueue => {
    const viewerKey = toViewerKey(viewer);
    const known = queues.get(viewerKey);
    if (known) return known;
    let running: Promise<void> | undefined;
    const ask = (): void => {
      queue.notices += 1;
      running ??= offer(queue).finally(() => {
        running = undefined;
      });
    };
    const queue: ViewerQueue = {
      waiting: new Set(),
      notices: 0,
      ask,
      wakeUp: createWakeUp(ask),
      unsubscribe: () => undefined,
    };
    queue.unsubscribe = notifications.subscribeViewer(viewer, (notice) => {
      if (mayOffer(notice)) ask();
    });
    queues.set(viewerKey, queue);
    return queue;
  };
  const close = (viewer: Viewer, queue: ViewerQueue): void => {
    if (queue.waiting.size > 0) return;
    queue.unsubscribe();
    queue.wakeUp.stop();
    queues.delete(toViewerKey(viewer));
  };

  return {
    /**
     * Claims calls, or waits for some.
     *
     * @param request.claim resolves to the calls, or to none, and then to when it may get some.
     * @returns none when the signal is aborted first.
     * @throws what `claim` throws.
     */
    wait: async <Call>(viewer: Viewer, request: ClaimRequest<Call>): Promise<Call[]> => {
      const { signal } = request;
      await notifications.ready();
      const queue = open(viewer);
      const { entry, outcome, abort } = createEntry(request, queue.wakeUp.runIn);
      queue.waiting.add(entry);
      signal.addEventListener("abort", abort);
      try {
        const { notices } = queue;
        const isDone = await entry.tryToClaim();
        // Those who try at the same time are not asked for what came meanwhile.
        if (!isDone && queue.notices !== notices) queue.ask();
        if (signal.aborted) abort();
        return await outcome;
      } finally {
        signal.removeEventListener("abort", abort);
        queue.waiting.delete(entry);
        close(viewer, queue);
      }
    },
  };
};

type ClaimRequest<Call> = {
  key: string;
  claim: () => Promise<{ calls: Call[]; nextInSeconds?: number | undefined }>;
  signal: AbortSignal;
};

const createEntry = <Call>(
  { key, claim, signal }: ClaimRequest<Call>,
  askIn: (seconds: number) => void,
) => {
  const { promise: outcome, resolve, reject } = Promise.withResolvers<Call[]>();
  // The request reads it later.
  outcome.catch(() => undefined);
  const entry: Waiting = {
    key,
    isTrying: false,
    tryToClaim: async () => {
      entry.isTrying = true;
      try {
        const { calls, nextInSeconds } = await claim();
        // What is offered now and was not got is the success of another, of which a notice comes.
        if (nextInSeconds) askIn(nextInSeconds);
        if (calls.length > 0 || signal.aborted) resolve(calls);
        return calls.length > 0;
      } catch (error) {
        reject(error);
        return false;
      } finally {
        entry.isTrying = false;
      }
    },
  };
  // What is claimed at this moment is still given to the caller.
  const abort = (): void => {
    if (!entry.isTrying) resolve([]);
  };
  return { entry, outcome, abort };
};

/** Timers may end within a millisecond before their time. */
const LATER_MS = 2;

/** Runs something at the earliest of the times that are given. */
const createWakeUp = (run: () => void) => {
  let next: { at: number; timer: NodeJS.Timeout } | undefined;
  return {
    runIn: (seconds: number): void => {
      const delayMs = seconds * 1_000 + LATER_MS;
      const at = performance.now() + delayMs;
      if (next && next.at <= at) return;
      clearTimeout(next?.timer);
      const timer = setTimeout(() => {
        next = undefined;
        run();
      }, delayMs).unref();
      next = { at, timer };
    },
    stop: (): void => clearTimeout(next?.timer),
  };
};

/** Whether a chat may have a call that is free, also after changes that may have been missed. */
const mayOffer = (notice: ChatNotice | undefined): boolean =>
  notice === undefined || notice.status === "requires_action";

/** Asks those who wait, until no notice has come meanwhile. */
const offer = async (queue: ViewerQueue): Promise<void> => {
  for (let seen = -1; seen !== queue.notices;) {
    seen = queue.notices;
    const withoutCalls = new Set<string>();
    for (const entry of [...queue.waiting]) {
      if (entry.isTrying || withoutCalls.has(entry.key) || !queue.waiting.has(entry)) continue;
      if (await entry.tryToClaim()) queue.waiting.delete(entry);
      else withoutCalls.add(entry.key);
    }
  }
};
