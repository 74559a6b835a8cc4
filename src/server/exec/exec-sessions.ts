import { randomBytes } from "node:crypto";
import { MAX_EXEC_SECONDS } from "@/contract/exec";
import { createKeyedLock } from "@/lib/keyed-lock";
import { ToolFailure } from "@/server/tools/tool-result";
import type { Command, KillReason } from "./command";

/** Sessions that one chat may run at once; more than a person follows. */
const MAX_PER_CHAT = 8;
/** Of all chats of a process: each keeps up to 1 MB of output, and with a terminal a thread. */
const MAX_PER_PROCESS = 64;
/** A session that its chat does not use for this long is ended, and forgotten after the same time again. */
const IDLE_MS = 30 * 60_000;
/** The same for a command whose report its chat waits for: nothing else uses it meanwhile. */
const REPORTING_IDLE_MS = MAX_EXEC_SECONDS * 1_000;
const SWEEP_MS = 60_000;
/** What the ended commands of all chats keep for the next read; above it, the oldest lose their output. */
const MAX_ENDED_BYTES = 32 * 1024 * 1024;
/** Eight characters, which models copy without mistakes. */
const ID_BYTES = 4;

/** A background command of a chat, and the task that it is. */
export type ExecSession = { id: string; command: Command; task?: SessionTask | undefined };

export type SessionTask = {
  id: string;
  shouldReport: boolean;
  /** Resolves when its end is stored. Does not reject. */
  ended: Promise<void>;
};

/** Makes this process the one that works on the chats whose sessions it has. */
export type SessionHolds = {
  /**
   * Rejects when the database is away.
   *
   * @returns `renewed` if this process has held the chat all the time, `taken` if it has not, `refused` if the chat
   * is not worked on here any more.
   */
  hold: (chatId: string) => Promise<"renewed" | "taken" | "refused">;
  /** Does not reject. */
  release: (chatIds: readonly string[]) => Promise<void>;
};

type Entry = ExecSession & { chatId: string; usedAt: number };

type SessionsOptions = {
  holds: SessionHolds;
  idleMs?: number;
  sweepMs?: number;
  maxEndedBytes?: number;
};

/** The background commands of the chats that this process works on. */
export const createExecSessions = ({
  holds,
  idleMs = IDLE_MS,
  sweepMs = SWEEP_MS,
  maxEndedBytes = MAX_ENDED_BYTES,
}: SessionsOptions) => {
  const store = createSessionStore(maxEndedBytes);
  const withChatLock = createKeyedLock();
  /** Sessions that are about to start. */
  let starting = 0;

  const sweep = (): void => {
    const now = performance.now();
    for (const entry of store.all()) {
      const idle = now - entry.usedAt;
      const isAwaited = entry.task?.shouldReport === true;
      const limit = isAwaited ? REPORTING_IDLE_MS : idleMs;
      if (idle > 2 * limit) store.forget(entry);
      else if (idle > limit) entry.command.kill(idleFor(isAwaited ? "4 hours" : "30 minutes"));
      if (!store.has(entry.chatId)) release([entry.chatId]);
    }
  };
  const release = (chatIds: readonly string[]): void => {
    holds.release(chatIds).catch(() => undefined);
  };
  const timer = setInterval(sweep, sweepMs).unref();

  return {
    /**
     * Starts a session.
     *
     * @throws {ToolFailure} at a limit, or what `start` throws.
     */
    add: (chatId: string, start: () => Command, task?: SessionTask): Promise<ExecSession> =>
      withChatLock(chatId, async () => {
        makeRoom(store, { chatId, starting });
        starting += 1;
        try {
          const held = await holds.hold(chatId);
          if (held === "refused") throw new ToolFailure("This chat is no longer worked on here.");
          // The chat was interrupted meanwhile, which ends its sessions.
          if (held === "taken") store.forgetChat(chatId);
          return store.add(chatId, { command: start(), task });
        } finally {
          starting -= 1;
        }
      }),
    /** Finds a session for its use. */
    use: (chatId: string, id: string): ExecSession | undefined => {
      const entry = store.find(chatId, id);
      if (entry) entry.usedAt = performance.now();
      return entry;
    },
    list: (chatId: string): readonly ExecSession[] => store.list(chatId),
    /** The chats with sessions, ended ones included. */
    chatIds: store.chatIds,
    has: store.has,
    /** Ends and forgets the sessions of a chat. */
    endChat: (chatId: string): void => {
      store.forgetChat(chatId);
      release([chatId]);
    },
    /** Ends and forgets all sessions. */
    endAll: async (): Promise<void> => {
      clearInterval(timer);
      const chatIds = store.chatIds();
      const commands = store.all().map(({ command }) => command);
      chatIds.forEach(store.forgetChat);
      await Promise.allSettled(commands.map(({ ended }) => ended));
      await holds.release(chatIds);
    },
  };
};
export type ExecSessions = ReturnType<typeof createExecSessions>;

/** Frees the output of ended commands, those first that were not used for the longest time, down to a limit. */
const limitEnded = (entries: readonly Entry[], maxBytes: number): void => {
  const ended = entries
    .filter((entry) => !isRunning(entry))
    .map(({ usedAt, command }) => ({ usedAt, command, bytes: command.heldBytes() }))
    .toSorted((a, b) => a.usedAt - b.usedAt);
  let held = ended.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { command, bytes } of ended) {
    if (held <= maxBytes) return;
    command.dropOutput();
    held -= bytes;
  }
};

const idleFor = (time: string): KillReason => ({
  status: "killed",
  note: `The session was not used for ${time}, so the server ended it.`,
});

const isRunning = ({ command }: Entry): boolean => command.state().status === "running";

type Room = { chatId: string; starting: number };

/** Forgets what has ended if there are many. @throws {ToolFailure} when no further session may start. */
const makeRoom = (
  store: ReturnType<typeof createSessionStore>,
  { chatId, starting }: Room,
): void => {
  const entries = store.list(chatId);
  if (entries.filter(isRunning).length >= MAX_PER_CHAT) {
    throw new ToolFailure(
      `This chat has ${MAX_PER_CHAT} sessions running, which is the limit: kill one of them first.`,
    );
  }
  if (store.all().filter(isRunning).length + starting >= MAX_PER_PROCESS) {
    throw new ToolFailure(
      `The server has ${MAX_PER_PROCESS} sessions running, which is the limit: try again later, or run the command in the foreground.`,
    );
  }
  const oldest = entries.find((entry) => !isRunning(entry));
  if (oldest && entries.length >= MAX_PER_CHAT) store.forget(oldest);
};

/** The sessions by chat, in the order of their starts. */
const createSessionStore = (maxEndedBytes: number) => {
  const chats = new Map<string, Map<string, Entry>>();
  const list = (chatId: string): Entry[] => [...(chats.get(chatId)?.values() ?? [])];
  const forget = ({ chatId, id, command }: Entry): void => {
    command.kill({ status: "killed" });
    chats.get(chatId)?.delete(id);
    if (chats.get(chatId)?.size === 0) chats.delete(chatId);
  };
  const all = (): Entry[] => [...chats.keys()].flatMap(list);
  const freeAtEnd = ({ ended, keepUnread }: Command): void => {
    const free = (): void => {
      keepUnread();
      limitEnded(all(), maxEndedBytes);
    };
    ended.then(free, free);
  };
  return {
    add: (chatId: string, started: Pick<ExecSession, "command" | "task">): ExecSession => {
      const id = randomBytes(ID_BYTES).toString("hex");
      const entries = chats.get(chatId) ?? new Map<string, Entry>();
      chats.set(chatId, entries.set(id, { chatId, id, ...started, usedAt: performance.now() }));
      freeAtEnd(started.command);
      return { id, ...started };
    },
    find: (chatId: string, id: string): Entry | undefined => chats.get(chatId)?.get(id),
    list,
    all,
    chatIds: (): string[] => [...chats.keys()],
    has: (chatId: string): boolean => chats.has(chatId),
    forget,
    forgetChat: (chatId: string): void => list(chatId).forEach(forget),
  };
};
