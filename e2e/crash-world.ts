import type { Chat } from "@/contract/chat";
import type { JsonValue } from "@/contract/json";
import { applyEvent } from "@/client/apply-event";
import { type ChatView, emptyChatView } from "@/client/chat-view";
import { RefusedError } from "./api";
import type { Server } from "./server";

/** What the server said of something that was sent to it; `unknown` when it died before it said. */
export type Fate = "taken" | "refused" | "unknown";

/** One chat, and all that its clients know of it. */
export type CrashChat = {
  id: string;
  /** User messages by their text, which is unique. */
  sent: Map<string, Fate>;
  /** Outputs by tool call, in the order in which they were posted. */
  answers: Map<string, { output: JsonValue; fate: Fate }[]>;
  interrupted: boolean;
  /** What a browser that has watched since the start shows. */
  view: ChatView;
};

/** Numbers from 0 to 1, the same for the same seed. */
export const seededChance = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const fateOf = async (call: () => Promise<unknown>): Promise<Fate> => {
  try {
    await call();
    return "taken";
  } catch (error) {
    return error instanceof RefusedError && error.status < 500 ? "refused" : "unknown";
  }
};

const TOOLS = [
  { name: "ask", output_schema: { type: "integer" } },
  { name: "approve", output_schema: { type: "boolean" } },
];

/** What a chat is asked, so that a crash can meet every kind of work. */
const OPENINGS: readonly ((word: string) => string)[] = [
  (word) => `slow 25ms write 15 words about ${word}`,
  (word) =>
    `use write_file with {"path":"${word}.txt","content":"${word}"} then write_file with {"path":"${word}-2.txt","content":"${word}"} then current_time`,
  (word) => `use ask with {"about":"${word}"} and current_time`,
  (word) => `use ask with {"a":"${word}"} and approve with {"b":"${word}"} then list_directory`,
  (word) => `think slow 10ms write 15 words about ${word}`,
  (word) => `fail once ${word}`,
];

/** Clients that create chats, write, answer and stop, and remember what they were told. */
export const createWorld = ({ api }: Server, chance: () => number) => {
  const chats: CrashChat[] = [];
  let words = 0;
  const pick = <Item>(items: readonly Item[]): Item | undefined =>
    items[Math.floor(chance() * items.length)];

  const create = async (): Promise<void> => {
    const text = pick(OPENINGS)?.(`w${words++}`) ?? "";
    try {
      const { id } = await api.createChat({ content: text, dynamic_tools: TOOLS });
      chats.push({
        id,
        sent: new Map([[text, "taken"]]),
        answers: new Map(),
        interrupted: false,
        view: emptyChatView,
      });
    } catch (error) {
      if (error instanceof RefusedError) throw error;
    }
  };

  const send = async (chat: CrashChat): Promise<void> => {
    const text = pick(OPENINGS)?.(`w${words++}`) ?? "";
    chat.sent.set(text, "unknown");
    chat.sent.set(text, await fateOf(() => api.send(chat.id, text)));
  };

  const interrupt = async (chat: CrashChat): Promise<void> => {
    chat.interrupted = true;
    await fateOf(() => api.interrupt(chat.id));
  };

  /** Two clients answer at the same time, each with an output of its own. */
  const answer = async (chat: CrashChat): Promise<void> => {
    const found = await api.chat(chat.id).catch(() => undefined);
    const calls = found?.required_action?.tool_calls ?? [];
    if (calls.length === 0) return;
    await Promise.all(
      [0, 1].map(async (client) => {
        const results = calls.map(({ tool_call_id, tool_name }) => ({
          tool_call_id,
          output: tool_name === "ask" ? words * 2 + client : client === 0,
        }));
        const tried = results.map(({ tool_call_id: id, output }) => {
          const entry = { output, fate: "unknown" as Fate };
          chat.answers.set(id, [...(chat.answers.get(id) ?? []), entry]);
          return entry;
        });
        const fate = await fateOf(() => api.submit(chat.id, results));
        for (const entry of tried) entry.fate = fate;
      }),
    );
  };

  /** Watches the chat until the server is gone, from where it left off the last time. */
  const watch = async (chat: CrashChat, signal: AbortSignal): Promise<void> => {
    try {
      for await (const event of api.stream(chat.id, chat.view.version, signal)) {
        chat.view = applyEvent(chat.view, event);
      }
    } catch (error) {
      if (error instanceof RefusedError) throw error;
    }
  };

  return {
    chats,
    create,
    watch,
    answer,
    /** One thing that a client does, to one of these chats. */
    act: async (some: readonly CrashChat[]): Promise<void> => {
      const chat = pick(some);
      if (!chat) return create();
      const dice = chance();
      if (dice < 0.7) await answer(chat);
      else if (dice < 0.84) await send(chat);
      else if (dice < 0.94) await interrupt(chat);
      else await create();
    },
  };
};

export type World = ReturnType<typeof createWorld>;

const OPEN = new Set(["running", "awaiting_result", "awaiting_approval"]);

/** Everything that is wrong with a chat that rests; empty when nothing is. */
export const crashProblems = async ({ api }: Server, chat: CrashChat): Promise<string[]> => {
  const now = await api.chat(chat.id);
  const { messages, queued } = await api.history(chat.id);
  const problems: string[] = [];
  const check = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(`${problem} (chat ${chat.id}, ${now.status})`);
  };

  const textOf = (parts: readonly { type: string; text?: string }[]): string =>
    parts.flatMap((part) => (part.type === "text" ? (part.text ?? "") : [])).join("");
  const texts = [
    ...messages.filter(({ role }) => role === "user").map(({ parts }) => textOf(parts)),
    ...queued.map(({ content }) => textOf(content)),
  ];
  for (const [text, fate] of chat.sent) {
    const times = texts.filter((one) => one === text).length;
    check(fate !== "taken" || times === 1, `"${text}" was taken and is there ${times} times`);
    check(fate !== "refused" || times === 0, `"${text}" was refused and is there`);
    check(times <= 1, `"${text}" is there ${times} times`);
  }
  check(
    texts.every((text) => chat.sent.has(text)),
    "there is a message that nobody sent",
  );

  const seqs = messages.map(({ seq }) => seq);
  check(
    seqs.every((seq, index) => seq === index + 1),
    `the messages are numbered ${seqs.join(" ")}`,
  );
  const calls = messages.map((message) =>
    message.parts.filter((part) => part.type === "tool_call"),
  );
  const ids = calls.flat().map((call) => call.tool_call_id);
  for (const [index, some] of calls.entries()) {
    const own = some.map((call) => call.tool_call_id);
    check(new Set(own).size === own.length, `a step has a call twice: ${own.join(" ")}`);
    const open = some.filter(({ state }) => OPEN.has(state));
    const mayWait = index === calls.length - 1 && now.status === "requires_action";
    check(open.length === 0 || mayWait, `a call is open behind or in a chat that rests`);
    check(
      open.every(({ state }) => state === "awaiting_result"),
      "a call still runs in a chat that rests",
    );
    for (const call of some) {
      check(
        OPEN.has(call.state) === (call.output === undefined),
        `${call.state} with or without output`,
      );
    }
  }
  for (const [id, tries] of chat.answers) {
    const taken = tries.filter(({ fate }) => fate === "taken");
    check(taken.length <= 1, `two answers to ${id} were taken`);
    check(ids.includes(id), `the call ${id} is gone`);
    // A repeated question makes the demo model repeat its call's id; the first has this outcome.
    const call = calls.flat().find((one) => one.tool_call_id === id);
    const output = taken[0]?.output;
    check(
      taken.length === 0 || (call?.state === "completed" && call.output === output),
      `the answer ${JSON.stringify(output)} to ${id} was taken, and ${JSON.stringify(call?.output)} is there`,
    );
  }

  check((now.status === "error") === (now.last_error !== null), "error without a reason");
  check(now.status !== "error" || now.last_error?.message !== "", "error without a sentence");
  check(now.status !== "waiting" || queued.length === 0, "a message waits in a chat that rests");
  check(answersPerQuestion(messages) <= 1, "a question was answered twice");
  return problems;
};

/** Most answers that end a turn, between two user messages. */
const answersPerQuestion = (
  messages: Awaited<ReturnType<Server["api"]["history"]>>["messages"],
): number => {
  let most = 0;
  let since = 0;
  for (const { role, finish_reason } of messages) {
    if (role === "user") since = 0;
    else if (finish_reason === "stop") since += 1;
    most = Math.max(most, since);
  }
  return most;
};

/** What a watcher shows against what the database has; empty when both are the same. */
export const viewProblems = async ({ api }: Server, chat: CrashChat): Promise<string[]> => {
  const { messages, queued } = await api.history(chat.id);
  const { view } = chat;
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  return [
    ...(same(view.messages, messages) ? [] : [`a watcher of ${chat.id} shows other messages`]),
    ...(same(view.chat?.queue, queued) ? [] : [`a watcher of ${chat.id} shows another queue`]),
    ...(Object.keys(view.preview.parts).length === 0
      ? []
      : [`a watcher of ${chat.id} shows a preview`]),
  ];
};

/** True when the watcher has been told of the chat as it is. */
export const isCaughtUp = (chat: CrashChat, now: Chat): boolean =>
  chat.view.isCaughtUp && chat.view.version === now.version;
