import { randomUUID } from "node:crypto";
import { emptyChatView } from "@/client/chat-view";
import type { Chat } from "@/contract/chat";
import type { SendMessageOutput } from "@/contract/chat-outputs";
import type { JsonValue } from "@/contract/json";
import type { Message } from "@/contract/message";
import type { Api } from "../e2e/api";
import type { KeyedPost } from "./keyed-request";
import { type Answer, endAttempt, type Ledger, startAttempt, type TrackedChat } from "./ledger";
import type { Random } from "./random";

/** The label of a chat with the key of the request that created it. */
export const CREATION_LABEL = "created-by";

const TOOLS = [
  { name: "ask", output_schema: { type: "integer" }, repeatable: true },
  { name: "confirm", output_schema: { type: "object", required: ["by"] }, repeatable: false },
];

export const isRepeatable = (toolName: string): boolean =>
  TOOLS.some(({ name, repeatable }) => name === toolName && repeatable);

/** Turns of each kind that a fault can interrupt, see provider/answer-plan.ts. */
const PLANS = [
  "say 20 words every 20 ms",
  "say 5 words",
  "call write_file and current_time then say 5 words",
  "call ask and current_time then say 10 words every 10 ms",
  "call ask and confirm then call list_directory then say 5 words",
  "call write_file then call ask then call ask then say 3 words",
  "call spawn_agent and spawn_agent then say 5 words",
  "call spawn_agent and spawn_agent and spawn_agent then call wait_agent then say 3 words",
  "call delegate and current_time then say 5 words",
  "call delegate and delegate and ask then call spawn_agent then say 3 words",
];
const BUSY_BEHAVIORS = ["queue", "queue", "interrupt", "reject"];

export type ActionDeps = {
  api: Api;
  ledger: Ledger;
  random: Random;
  post: KeyedPost;
  /** @returns a number that no text or output has had. */
  nextNumber: () => number;
};

/** What a client does with a chat. It records the outcome and never rejects. */
export type Action = (deps: ActionDeps, chat: TrackedChat) => Promise<void>;

const createText = ({ random, nextNumber }: ActionDeps): string =>
  `w${nextNumber()}: ${random.pick(PLANS) ?? ""}`;

export const createChat = async (deps: ActionDeps): Promise<void> => {
  const { ledger, post } = deps;
  const key = randomUUID();
  const message = startAttempt({ text: createText(deps), seq: 1 });
  ledger.creations.set(key, message);
  const labels = { [CREATION_LABEL]: key };
  const body = { content: message.text, dynamic_tools: TOOLS, labels };
  const answer = await post("POST /chats", body, key);
  endAttempt(message, answer);
  if (answer?.status !== 201) return;
  const { id } = answer.body as Chat;
  ledger.chats.push({
    id,
    messages: [message],
    submissions: [],
    removals: [],
    view: emptyChatView,
  });
};

export const sendMessage: Action = async (deps, chat) => {
  const message = startAttempt({ text: createText(deps), seq: undefined as number | undefined });
  chat.messages.push(message);
  const body = { content: message.text, busy_behavior: deps.random.pick(BUSY_BEHAVIORS) };
  const answer = await deps.post(`POST /chats/${chat.id}/messages`, body);
  endAttempt(message, answer);
  if (answer?.status !== 200) return;
  const output = answer.body as SendMessageOutput;
  if (!output.queued) message.seq = output.message.seq;
};

/** @returns a result that no other call has. */
export const createOutput = (
  { nextNumber }: Pick<ActionDeps, "nextNumber">,
  toolName: string,
): JsonValue => (toolName === "ask" ? nextNumber() : { by: nextNumber() });

/** Two clients submit results at the same time, each with its own outputs. */
export const submitResults: Action = async ({ api, post, nextNumber }, chat) => {
  const found = await api.chat(chat.id).catch(() => undefined);
  const calls = found?.required_action?.tool_calls ?? [];
  if (calls.length === 0) return;
  const submit = async (): Promise<void> => {
    const submissions = calls.map(({ tool_call_id: toolCallId, tool_name }) => {
      const output = createOutput({ nextNumber }, tool_name);
      return startAttempt({ toolCallId, output });
    });
    chat.submissions.push(...submissions);
    const results = submissions.map(({ toolCallId, output }) => ({
      tool_call_id: toolCallId,
      output,
    }));
    const answer = await post(`POST /chats/${chat.id}/tool-results`, { results });
    for (const submission of submissions) endAttempt(submission, answer);
  };
  await Promise.all([submit(), submit()]);
};

export const interrupt: Action = async ({ post }, chat) =>
  void (await post(`POST /chats/${chat.id}/interrupt`, {}));

/** Stops one agent of the chat. */
export const stopAgent: Action = async ({ api, post, random }, { id }) => {
  const found = await api.children(id).catch(() => []);
  const agent = random.pick(found.filter(({ task_state }) => task_state === "running"));
  if (agent) await post(`POST /chats/${agent.chat_id}/interrupt`, {});
};

export const regenerate: Action = async ({ post }, chat) => {
  const removal = startAttempt({ type: "regenerate" as const });
  chat.removals.push(removal);
  const answer = await post(`POST /chats/${chat.id}/regenerate`, {});
  endAttempt(removal, answer);
};

/** An edit has no key, and its repetition would be another edit: it is sent once. */
export const editMessage: Action = async (deps, chat) => {
  const history = await deps.api.history(chat.id).catch(() => undefined);
  const target = deps.random.pick(history?.messages.filter(({ role }) => role === "user") ?? []);
  if (!target) return;
  const removal = startAttempt({ type: "edit" as const, fromSeq: target.seq });
  const message = startAttempt({ text: createText(deps), seq: undefined as number | undefined });
  chat.removals.push(removal);
  chat.messages.push(message);
  const route = `PATCH /chats/${chat.id}/messages/${target.id}`;
  const answer = await sendOnce(deps, route, { content: message.text });
  for (const attempt of [removal, message]) endAttempt(attempt, answer);
  if (answer?.status === 200) message.seq = (answer.body as Message).seq;
};

export const promoteQueued: Action = async (deps, chat) => {
  const queued = await pickQueued(deps, chat);
  if (queued) await deps.post(`POST /chats/${chat.id}/queue/${queued.id}/promote`, {});
};

export const deleteQueued: Action = async (deps, chat) => {
  const queued = await pickQueued(deps, chat);
  if (!queued) return;
  const text = queued.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const removal = startAttempt({ type: "delete-queued" as const, text });
  chat.removals.push(removal);
  const answer = await sendOnce(deps, `DELETE /chats/${chat.id}/queue/${queued.id}`);
  endAttempt(removal, answer);
};

const pickQueued = async ({ api, random }: ActionDeps, { id }: TrackedChat) => {
  const history = await api.history(id).catch(() => undefined);
  return random.pick(history?.queued ?? []);
};

/** @returns undefined if the server did not answer, or with its own failure. */
const sendOnce = async (
  { api, ledger }: ActionDeps,
  route: string,
  body?: object,
): Promise<Answer | undefined> => {
  const answer = await api.request(route, body).catch(() => undefined);
  if (answer === undefined || answer.status >= 500) return undefined;
  if (answer.status < 300) ledger.acknowledged += 1;
  return answer;
};
