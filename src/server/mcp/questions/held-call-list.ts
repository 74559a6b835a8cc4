import type { ElicitationAnswer } from "@/contract/elicitation";
import type { HeldCallsDeps, HeldKey } from "@/server/tools/held-calls";
import type { DetachedCall, RunHost } from "./detached-call";

/** Most calls that a process keeps: each has a connection of its server, and memory. */
const MAX_HELD_CALLS = 1_000;

type HeldCall = {
  run: DetachedCall;
  /** Questions that it has asked. */
  questionCount: number;
  /** The signal of the turn that it runs in; undefined while its chat is parked with its question. */
  turn: AbortSignal | undefined;
  /** Whether its parked chat goes on, or is about to, although nobody has answered. */
  isResumed: boolean;
};

export type HeldCallList = ReturnType<typeof createHeldCallList>;

/** The calls of a process that wait for a person while their chats are parked. */
export const createHeldCallList = (deps: HeldCallsDeps, max = MAX_HELD_CALLS) => {
  const calls = createHeldStore(deps);
  const { find, findUsable, end, listChat } = calls;
  const resume = (key: HeldKey): void => {
    const call = find(key);
    if (!call || call.turn || call.isResumed || call.run.isAsking()) return;
    call.isResumed = true;
    deps.resume({ ...key, questionCount: call.questionCount }).catch(() => {
      call.isResumed = false;
    });
  };

  return {
    has: (key: HeldKey): boolean => findUsable(key) !== undefined,
    hasChat: calls.hasChat,
    /** Whether a call can be kept, if it asks. */
    hasRoom: (key: HeldKey): boolean => find(key) !== undefined || calls.count() < max,
    /** Continues a call in a turn, with the answer to its question if there is one. */
    continue: (
      key: HeldKey,
      { host, answer }: { host: RunHost; answer: ElicitationAnswer | undefined },
    ): DetachedCall | undefined => {
      const call = findUsable(key);
      if (!call) return undefined;
      call.turn = host.signal;
      call.isResumed = false;
      call.run.attach(host);
      if (answer) call.run.answer(answer);
      return call.run;
    },
    /**
     * Keeps a call that asks in a turn, until it has ended. It is ended when its chat is not worked on here any more.
     *
     * @param call `questionCount` is how many questions it has asked, with this one.
     */
    keep: async (key: HeldKey, call: Omit<HeldCall, "isResumed">): Promise<void> => {
      calls.set(key, { ...call, isResumed: false });
      call.run.watch(() => resume(key));
      if (!(await deps.hold(key.chatId))) end(key, "lost");
    },
    /** Call it when the call has ended, and its turn has the outcome. */
    forget: (key: HeldKey, run: DetachedCall): void => {
      if (find(key)?.run === run) calls.forget(key);
    },
    /** Call it when a turn has parked the chat with the questions of its calls. */
    park: (chatId: string, turn: AbortSignal): void => {
      for (const [key, call] of listChat(chatId)) {
        if (call.turn !== turn) continue;
        call.run.detach();
        call.turn = undefined;
        resume(key);
      }
    },
    ...createEndings(calls),
    /**
     * Ends the calls of these chats that are not open any more, as the database says, and lets those go on that wait for no
     * answer any more. Rejects when it is away.
     */
    check: async (chatIds: readonly string[]): Promise<void> => {
      const before = chatIds.flatMap(listChat);
      if (before.length === 0) return;
      const open = new Set((await deps.listOpen(before.map(([key]) => key))).map(toText));
      for (const [key, call] of before) {
        // Another call may have its id by now.
        if (find(key) !== call) continue;
        if (open.has(toText(key))) resume(key);
        else end(key, "interrupted");
      }
    },
    /** Ends all of them, and resolves when other processes may have their chats. Does not reject. */
    endAll: calls.endAll,
  };
};

/** Ends calls that no turn takes over. */
const createEndings = ({ listChat, end }: ReturnType<typeof createHeldStore>) => ({
  /** Ends the calls of a chat that are not among those that are open when a turn begins. */
  retain: (chatId: string, toolCallIds: readonly string[]): void => {
    for (const [key] of listChat(chatId)) {
      if (!toolCallIds.includes(key.toolCallId)) end(key, "interrupted");
    }
  },
  /** Ends the calls of a turn that has ended without parking with their questions. */
  endTurn: (chatId: string, turn: AbortSignal): void => {
    for (const [key, call] of listChat(chatId)) if (call.turn === turn) end(key, "lost");
  },
  /** Ends the calls of a chat that this process does not hold any more. */
  endChat: (chatId: string): void => {
    for (const [key] of listChat(chatId)) end(key, "lost");
  },
});

/** The ids of chats have one length. */
const toText = ({ chatId, toolCallId }: HeldKey): string => `${chatId} ${toolCallId}`;

/** The calls by chat. A chat without any is released. */
const createHeldStore = ({ release }: Pick<HeldCallsDeps, "release">) => {
  const chats = new Map<string, Map<string, HeldCall>>();
  const find = ({ chatId, toolCallId }: HeldKey) => chats.get(chatId)?.get(toolCallId);
  const forget = ({ chatId, toolCallId }: HeldKey): void => {
    const calls = chats.get(chatId);
    if (!calls?.delete(toolCallId) || calls.size > 0) return;
    chats.delete(chatId);
    release([chatId]).catch(() => undefined);
  };
  return {
    find,
    forget,
    /** One that was stopped belongs to a turn that this process has lost. */
    findUsable: (key: HeldKey): HeldCall | undefined => {
      const call = find(key);
      return call?.run.isAborted() ? undefined : call;
    },
    listChat: (chatId: string): [HeldKey, HeldCall][] =>
      [...(chats.get(chatId) ?? [])].map(([toolCallId, call]) => [{ chatId, toolCallId }, call]),
    hasChat: (chatId: string): boolean => chats.has(chatId),
    count: (): number => [...chats.values()].reduce((sum, { size }) => sum + size, 0),
    set: ({ chatId, toolCallId }: HeldKey, call: HeldCall): void => {
      const calls = chats.get(chatId) ?? new Map<string, HeldCall>();
      chats.set(chatId, calls.set(toolCallId, call));
    },
    end: (key: HeldKey, reason: string): void => {
      const call = find(key);
      forget(key);
      call?.run.abort(reason);
    },
    endAll: async (): Promise<void> => {
      const ended = [...chats.values()].flatMap((calls) => [...calls.values()]);
      const chatIds = [...chats.keys()];
      chats.clear();
      for (const { run } of ended) run.abort("shutdown");
      await release(chatIds);
    },
  };
};
