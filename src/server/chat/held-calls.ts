import type { ElicitationAnswer } from "@/contract/elicitation";
import type { CallRun, RunHost } from "./call-run";

/** A call of an answer. The id of a call is unique in its chat. */
export type HeldKey = { chatId: string; toolCallId: string };

type HeldCall = {
  run: CallRun;
  /** Questions that it has asked. */
  asked: number;
  /** Whether its chat is parked with its question. */
  isParked: boolean;
};

type HeldCallsDeps = {
  /** Makes this process the one that works on the chat. @returns false when it does not work on it any more. */
  hold: (chatId: string) => Promise<boolean>;
  /** Does not reject. */
  release: (chatIds: readonly string[]) => Promise<void>;
  /** Lets a parked call go on that waits for no answer any more. Does not reject. */
  resume: (call: HeldKey & { asked: number }) => Promise<void>;
  /** Reads which of these calls the database still has as open. */
  listOpen: (calls: readonly HeldKey[]) => Promise<readonly HeldKey[]>;
};

export type HeldCalls = ReturnType<typeof createHeldCalls>;

/** The calls of a process that wait for a person while their chats are parked. */
export const createHeldCalls = (deps: HeldCallsDeps) => {
  const calls = createHeldStore(deps);
  const { find, forget, end } = calls;
  const check = (key: HeldKey): void => {
    const call = find(key);
    if (!call?.isParked || call.run.isAsking()) return;
    call.isParked = false;
    deps.resume({ ...key, asked: call.asked }).catch(() => undefined);
  };

  return {
    has: (key: HeldKey): boolean => find(key) !== undefined,
    hasChat: calls.hasChat,
    /** Continues a call in a turn, with the answer to its question if there is one. */
    continue: (
      key: HeldKey,
      { host, answer }: { host: RunHost; answer: ElicitationAnswer | undefined },
    ): CallRun | undefined => {
      const call = find(key);
      if (!call) return undefined;
      call.isParked = false;
      call.run.attach(host);
      if (answer) call.run.answer(answer);
      return call.run;
    },
    /**
     * Keeps a call that asks, until it has ended. The call is ended when its chat is not worked on here any more.
     *
     * @param call `asked` is how many questions it has asked, with this one.
     */
    keep: async (key: HeldKey, call: { run: CallRun; asked: number }): Promise<void> => {
      calls.set(key, { ...call, isParked: false });
      call.run.watch(() => check(key));
      if (!(await deps.hold(key.chatId))) end(key, "lost");
    },
    forget,
    /** Call it when the chat was parked with the questions of its calls. */
    park: (chatId: string): void => {
      for (const [key, call] of calls.listChat(chatId)) {
        call.run.detach();
        call.isParked = true;
        check(key);
      }
    },
    /** Ends the calls of a turn that has ended without parking with their questions. */
    endTurn: (chatId: string): void => {
      for (const [key, { isParked }] of calls.listChat(chatId)) if (!isParked) end(key, "lost");
    },
    /** Ends the calls of a chat that this process does not hold any more. */
    endChat: (chatId: string): void => {
      for (const [key] of calls.listChat(chatId)) end(key, "lost");
    },
    /** Ends the calls that are not open any more, as the database says. Rejects when it is away. */
    check: async (): Promise<void> => {
      const keys = calls.list().map(([key]) => key);
      if (keys.length === 0) return;
      const open = await deps.listOpen(keys);
      for (const key of keys) {
        if (!open.some((other) => isSame(other, key))) end(key, "interrupted");
      }
    },
    /** Ends all of them, and resolves when other processes may have their chats. Does not reject. */
    endAll: calls.endAll,
  };
};

const isSame = (one: HeldKey, other: HeldKey): boolean =>
  one.chatId === other.chatId && one.toolCallId === other.toolCallId;

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
  const listChat = (chatId: string): [HeldKey, HeldCall][] =>
    [...(chats.get(chatId) ?? [])].map(([toolCallId, call]) => [{ chatId, toolCallId }, call]);
  const list = (): [HeldKey, HeldCall][] => [...chats.keys()].flatMap(listChat);
  return {
    ...{ find, forget, list, listChat },
    hasChat: (chatId: string): boolean => chats.has(chatId),
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
      const ended = list().map(([, call]) => call);
      const chatIds = [...chats.keys()];
      chats.clear();
      for (const { run } of ended) run.abort("shutdown");
      await release(chatIds);
    },
  };
};
