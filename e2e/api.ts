import { createParser } from "eventsource-parser";
import type { Agent } from "@/contract/agent";
import { type Chat, ChatStatus } from "@/contract/chat";
import type { CreateChatInput } from "@/contract/chat-inputs";
import type { MessagePage, SendMessageOutput } from "@/contract/chat-outputs";
import type { Message, QueuedMessage } from "@/contract/message";
import type { Task } from "@/contract/task";
import type { StreamEvent } from "@/contract/stream-event";
import { HANG_MS } from "./limits";
import { waitUntil } from "./wait-until";

type ApiResponse = { status: number; headers: Headers; body: unknown };
export type NewChat = Omit<Partial<CreateChatInput>, "content"> & { content: string };
type NewResult = { tool_call_id: string; output: unknown; is_error?: boolean };

/** The server answered with an error status. */
class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const IS_SETTLED: Record<ChatStatus, boolean> = {
  waiting: true,
  pending: false,
  running: false,
  interrupting: false,
  requires_action: true,
  awaiting_agents: true,
  error: true,
};
const SETTLED = ChatStatus.options.filter((status) => IS_SETTLED[status]);

export type Api = ReturnType<typeof createApi>;

/**
 * Creates a client of the REST API. Its functions reject with `ApiError` for an error status, and with the
 * error of `fetch` if there is no response.
 */
export const createApi = (url: string, key: string) => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

  const request = async (
    route: string,
    body?: object,
    moreHeaders: Record<string, string> = {},
    signal = AbortSignal.timeout(HANG_MS),
  ): Promise<ApiResponse> => {
    const [method = "", path = ""] = route.split(" ");
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...headers, ...moreHeaders },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
    };
  };
  const requestBody = async <Body>(route: string, input?: object): Promise<Body> => {
    const { status, body } = await request(route, input);
    if (status >= 400) throw new ApiError(status, `${route}: ${status} ${JSON.stringify(body)}`);
    return body as Body;
  };
  const chat = (id: string): Promise<Chat> => requestBody(`GET /chats/${id}`);

  /** Reads all messages and the queue of a chat. */
  const history = async (id: string): Promise<{ messages: Message[]; queued: QueuedMessage[] }> => {
    const messages: Message[] = [];
    for (;;) {
      const after = messages.at(-1)?.seq ?? 0;
      const page = await requestBody<MessagePage>(
        `GET /chats/${id}/messages?limit=200&after=${after}`,
      );
      messages.push(...page.data);
      if (!page.has_more) return { messages, queued: page.queued };
    }
  };

  const getList = async <Item>(route: string): Promise<Item[]> =>
    (await requestBody<{ data: Item[] }>(route)).data;

  return {
    request,
    chat,
    history,
    tasks: (id: string): Promise<Task[]> => getList(`GET /chats/${id}/tasks`),
    children: (id: string): Promise<Agent[]> => getList(`GET /chats/${id}/children`),
    createChat: (fields: NewChat): Promise<Chat> => requestBody("POST /chats", fields),
    send: (id: string, content: string): Promise<SendMessageOutput> =>
      requestBody(`POST /chats/${id}/messages`, { content }),
    interrupt: (id: string): Promise<Chat> => requestBody(`POST /chats/${id}/interrupt`),
    submit: (id: string, results: NewResult[]): Promise<void> =>
      requestBody(`POST /chats/${id}/tool-results`, { results }),
    /** Waits until the chat has one of these statuses; by default, until no worker is needed. */
    waitForStatus: (
      id: string,
      statuses: readonly ChatStatus[] = SETTLED,
      timeoutMs = HANG_MS,
    ): Promise<Chat> =>
      waitUntil(`chat ${id} in ${statuses.join(" or ")}`, timeoutMs, async () => {
        const found = await chat(id);
        if (statuses.includes(found.status)) return found;
        throw new Error(`the chat is ${JSON.stringify(found)}`);
      }),
    /** Yields the events of a chat after a version, until the connection ends or the signal is aborted. */
    async *stream(
      id: string,
      after: number,
      signal: AbortSignal,
    ): AsyncGenerator<StreamEvent, void, undefined> {
      const response = await fetch(`${url}/api/v1/chats/${id}/stream?after=${after}`, {
        headers: { authorization: headers.authorization },
        signal,
      });
      if (!response.ok || !response.body) {
        throw new ApiError(response.status, `stream of ${id}: ${await response.text()}`);
      }
      let events: StreamEvent[] = [];
      const parser = createParser({
        onEvent: ({ data }) => void events.push(JSON.parse(data) as StreamEvent),
      });
      const decoder = new TextDecoder();
      for await (const bytes of response.body) {
        parser.feed(decoder.decode(bytes, { stream: true }));
        yield* events;
        events = [];
      }
    },
  };
};
