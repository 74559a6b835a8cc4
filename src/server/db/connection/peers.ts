import type { Database } from "./database";
import type { Notify } from "./notice-sender";

/** One for what processes say of themselves. Earlier versions do not listen to it. */
const CHANNEL = "parley_process";
/** How often each process says that it is there: also when it knows of no other, as their connections may have failed. */
const HEARTBEAT_MS = 10_000;
/** Two heartbeats may be lost. */
const SILENCE_MS = 30_000;
/** Within this time, every process has answered a new one. */
const ANSWER_MS = 1_000;

type PeersDeps = {
  /** Of this process. */
  id: string;
  listen: Database["listen"];
  notify: Notify;
  /** Called when another process is there that was not known. Must not throw. */
  onJoin: () => void;
  heartbeatMs?: number;
};

/**
 * Knows whether other processes use the database: nobody has to be notified of what a process does that is alone. A process
 * that starts, or that could not receive for a while, asks for the others, who answer. Until then it takes itself for one
 * of several.
 */
export const createPeers = ({
  id,
  listen,
  notify,
  onJoin,
  heartbeatMs = HEARTBEAT_MS,
}: PeersDeps) => {
  /** When each other process last sent something. */
  const seenAt = new Map<string, number>();
  /** When this process has received its own question, so that the others have it, too. */
  let askedAt: number | undefined;
  /** What cannot be sent is sent again with the next heartbeat. */
  const send = (what: "hello" | "here"): void => {
    notify(CHANNEL, `${what} ${id}`).catch(() => undefined);
  };
  const askPeers = (): void => {
    askedAt = undefined;
    send("hello");
  };
  const handlePayload = (payload: string): void => {
    // The connection was lost: others may have come, and the answer to a question may be lost.
    if (payload === "") return askPeers();
    const [what, from = ""] = payload.split(" ");
    if (from === id) {
      if (what === "hello") askedAt = performance.now();
      return;
    }
    if (what === "bye") return void seenAt.delete(from);
    const isNew = !seenAt.has(from);
    seenAt.set(from, performance.now());
    if (what === "hello") send("here");
    if (isNew) onJoin();
  };
  const prune = (): void => {
    const oldest = performance.now() - SILENCE_MS;
    for (const [peer, at] of seenAt) if (at < oldest) seenAt.delete(peer);
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    /** Without it, as in a script that only publishes, this process takes itself for one of several. */
    start: async (): Promise<void> => {
      await listen(CHANNEL, handlePayload);
      askPeers();
      timer ??= setInterval(() => {
        send(askedAt === undefined ? "hello" : "here");
      }, heartbeatMs).unref();
    },
    isAlone: (): boolean => {
      prune();
      const isAnswered = askedAt !== undefined && performance.now() - askedAt > ANSWER_MS;
      return isAnswered && seenAt.size === 0;
    },
    close: async (): Promise<void> => {
      clearInterval(timer);
      if (askedAt !== undefined) await notify(CHANNEL, `bye ${id}`);
    },
  };
};
