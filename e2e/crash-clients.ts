import type { Chat } from "@/contract/chat";
import type { JsonValue } from "@/contract/json";
import type { ToolCallState } from "@/contract/part";
import { applyEvent } from "@/client/apply-event";
import { type ChatView, emptyChatView } from "@/client/chat-view";
import { ApiError } from "./api";
import type { TestServer } from "./server";

/** How the server answered a request; `unknown` if it crashed before it answered. */
export type Outcome = "accepted" | "rejected" | "unknown";

/** One chat and all requests and events of its clients. */
export type TrackedChat = {
  id: string;
  /** Outcomes of user messages by their text, which is unique. */
  sent: Map<string, Outcome>;
  /** Submitted outputs by tool call, in the order of submission. */
  results: Map<string, { output: JsonValue; outcome: Outcome }[]>;
  interrupted: boolean;
  /** The view of a browser that has followed the stream from the start. */
  view: ChatView;
};

/** @returns a generator of numbers from 0 to 1, which are the same for the same seed. */
export const createSeededRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const getOutcome = async (call: () => Promise<unknown>): Promise<Outcome> => {
  try {
    await call();
    return "accepted";
  } catch (error) {
    return error instanceof ApiError && error.status < 500 ? "rejected" : "unknown";
  }
};

const TOOLS = [
  { name: "ask", output_schema: { type: "integer" } },
  { name: "approve", output_schema: { type: "boolean" } },
];

/** Prompts for each kind of work that a crash can interrupt. */
const PROMPTS: readonly ((word: string) => string)[] = [
  (word) => `slow 25ms write 15 words about ${word}`,
  (word) =>
    `use write_file with {"path":"${word}.txt","content":"${word}"} then write_file with {"path":"${word}-2.txt","content":"${word}"} then current_time`,
  (word) => `use ask with {"about":"${word}"} and current_time`,
  (word) => `use ask with {"a":"${word}"} and approve with {"b":"${word}"} then list_directory`,
  (word) => `think slow 10ms write 15 words about ${word}`,
  (word) => `fail once ${word}`,
];

/** Creates clients that act on chats at random and record the outcomes. */
export const createClients = ({ api }: TestServer, random: () => number) => {
  const chats: TrackedChat[] = [];
  let counter = 0;
  const pickRandom = <Item>(items: readonly Item[]): Item | undefined =>
    items[Math.floor(random() * items.length)];

  const create = async (): Promise<void> => {
    const text = pickRandom(PROMPTS)?.(`w${counter++}`) ?? "";
    try {
      const { id } = await api.createChat({ content: text, dynamic_tools: TOOLS });
      chats.push({
        id,
        sent: new Map([[text, "accepted"]]),
        results: new Map(),
        interrupted: false,
        view: emptyChatView,
      });
    } catch (error) {
      if (error instanceof ApiError) throw error;
    }
  };

  const send = async (chat: TrackedChat): Promise<void> => {
    const text = pickRandom(PROMPTS)?.(`w${counter++}`) ?? "";
    chat.sent.set(text, "unknown");
    chat.sent.set(text, await getOutcome(() => api.send(chat.id, text)));
  };

  const interrupt = async (chat: TrackedChat): Promise<void> => {
    chat.interrupted = true;
    await getOutcome(() => api.interrupt(chat.id));
  };

  /** Submits results of two clients at the same time, each with its own output. */
  const submitResults = async (chat: TrackedChat): Promise<void> => {
    const found = await api.chat(chat.id).catch(() => undefined);
    const calls = found?.required_action?.tool_calls ?? [];
    if (calls.length === 0) return;
    await Promise.all(
      [0, 1].map(async (client) => {
        const results = calls.map(({ tool_call_id, tool_name }) => ({
          tool_call_id,
          output: tool_name === "ask" ? counter * 2 + client : client === 0,
        }));
        const entries = results.map(({ tool_call_id: id, output }) => {
          const entry = { output, outcome: "unknown" as Outcome };
          chat.results.set(id, [...(chat.results.get(id) ?? []), entry]);
          return entry;
        });
        const outcome = await getOutcome(() => api.submit(chat.id, results));
        for (const entry of entries) entry.outcome = outcome;
      }),
    );
  };

  /** Follows the stream from the last known version until the connection ends. */
  const followStream = async (chat: TrackedChat, signal: AbortSignal): Promise<void> => {
    try {
      for await (const event of api.stream(chat.id, chat.view.version, signal)) {
        chat.view = applyEvent(chat.view, event);
      }
    } catch (error) {
      if (error instanceof ApiError) throw error;
    }
  };

  return {
    chats,
    create,
    followStream,
    submitResults,
    /** Runs a random action on one of the chats. */
    runRandomAction: async (candidates: readonly TrackedChat[]): Promise<void> => {
      const chat = pickRandom(candidates);
      if (!chat) return create();
      const roll = random();
      if (roll < 0.7) await submitResults(chat);
      else if (roll < 0.84) await send(chat);
      else if (roll < 0.94) await interrupt(chat);
      else await create();
    },
  };
};

export type CrashClients = ReturnType<typeof createClients>;

const IS_OPEN: Record<ToolCallState, boolean> = {
  running: true,
  awaiting_result: true,
  awaiting_approval: true,
  completed: false,
  error: false,
  cancelled: false,
  timed_out: false,
  denied: false,
};

/** @returns the inconsistencies of a settled chat. */
export const findInconsistencies = async (
  { api }: TestServer,
  chat: TrackedChat,
): Promise<string[]> => {
  const now = await api.chat(chat.id);
  const { messages, queued } = await api.history(chat.id);
  const errors: string[] = [];
  const check = (condition: boolean, error: string): void => {
    if (!condition) errors.push(`${error} (chat ${chat.id}, ${now.status})`);
  };

  const joinText = (parts: readonly { type: string; text?: string }[]): string =>
    parts.flatMap((part) => (part.type === "text" ? (part.text ?? "") : [])).join("");
  const texts = [
    ...messages.filter(({ role }) => role === "user").map(({ parts }) => joinText(parts)),
    ...queued.map(({ content }) => joinText(content)),
  ];
  for (const [text, outcome] of chat.sent) {
    const count = texts.filter((one) => one === text).length;
    check(
      outcome !== "accepted" || count === 1,
      `"${text}" was accepted and exists ${count} times`,
    );
    check(outcome !== "rejected" || count === 0, `"${text}" was rejected but exists`);
    check(count <= 1, `"${text}" exists ${count} times`);
  }
  check(
    texts.every((text) => chat.sent.has(text)),
    "a message exists that nobody sent",
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
  for (const [index, stepCalls] of calls.entries()) {
    const stepIds = stepCalls.map((call) => call.tool_call_id);
    check(
      new Set(stepIds).size === stepIds.length,
      `a step has the same call twice: ${stepIds.join(" ")}`,
    );
    const open = stepCalls.filter(({ state }) => IS_OPEN[state]);
    const canBeOpen = index === calls.length - 1 && now.status === "requires_action";
    check(open.length === 0 || canBeOpen, `a call is open in an earlier step or in a settled chat`);
    check(
      open.every(({ state }) => state === "awaiting_result"),
      "a call still runs in a settled chat",
    );
    for (const call of stepCalls) {
      check(
        IS_OPEN[call.state] === (call.output === undefined),
        `${call.state} with or without output`,
      );
    }
  }
  for (const [id, entries] of chat.results) {
    const accepted = entries.filter(({ outcome }) => outcome === "accepted");
    check(accepted.length <= 1, `two results of ${id} were accepted`);
    check(ids.includes(id), `the call ${id} is missing`);
    // The demo model repeats the id of a call for a repeated prompt; the result belongs to the first.
    const call = calls.flat().find((one) => one.tool_call_id === id);
    const output = accepted[0]?.output;
    check(
      accepted.length === 0 || (call?.state === "completed" && call.output === output),
      `the result ${JSON.stringify(output)} of ${id} was accepted, but ${JSON.stringify(call?.output)} is stored`,
    );
  }

  check((now.status === "error") === (now.last_error !== null), "error without a reason");
  check(now.status !== "error" || now.last_error?.message !== "", "error without a message");
  check(now.status !== "waiting" || queued.length === 0, "a message is queued in a waiting chat");
  check(countAnswersPerMessage(messages) <= 1, "a user message was answered twice");
  return errors;
};

/** @returns the highest number of final answers between two user messages. */
const countAnswersPerMessage = (
  messages: Awaited<ReturnType<TestServer["api"]["history"]>>["messages"],
): number => {
  let max = 0;
  let count = 0;
  for (const { role, finish_reason } of messages) {
    if (role === "user") count = 0;
    else if (finish_reason === "stop") count += 1;
    max = Math.max(max, count);
  }
  return max;
};

/** @returns the differences between the view of a client and the history in the database. */
export const findViewDifferences = async (
  { api }: TestServer,
  chat: TrackedChat,
): Promise<string[]> => {
  const { messages, queued } = await api.history(chat.id);
  const { view } = chat;
  const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  return [
    ...(isSame(view.messages, messages) ? [] : [`the view of ${chat.id} shows other messages`]),
    ...(isSame(view.chat?.queue, queued) ? [] : [`the view of ${chat.id} shows another queue`]),
    ...(Object.keys(view.preview.parts).length === 0
      ? []
      : [`the view of ${chat.id} shows a preview`]),
  ];
};

/** True if the view has received the current version of the chat. */
export const isCaughtUp = (chat: TrackedChat, now: Chat): boolean =>
  chat.view.isCaughtUp && chat.view.version === now.version;
