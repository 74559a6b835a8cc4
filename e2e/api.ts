import { createParser } from "eventsource-parser";
import type { Chat } from "@/contract/chat";
import type { CreateChatInput } from "@/contract/chat-inputs";
import type { MessagePage, SendMessageOutput } from "@/contract/chat-outputs";
import type { Message, QueuedMessage } from "@/contract/message";
import type { StreamEvent } from "@/contract/stream-event";
import { until } from "./until";

type Answer = { status: number; body: unknown };
type NewChat = Omit<Partial<CreateChatInput>, "content"> & { content: string };
type NewResult = { tool_call_id: string; output: unknown; is_error?: boolean };

/** An answer that was not the one that was asked for. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  constructor(
    readonly status: number,
    what: string,
  ) {
    super(what);
  }
}

export type Api = ReturnType<typeof createApi>;

/**
 * Calls of REST. They reject with `RefusedError` when the server refuses, and with whatever
 * `fetch` says when there is no answer.
 */
export const createApi = (url: string, key: string) => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

  const request = async (route: string, sent?: object): Promise<Answer> => {
    const [method = "", path = ""] = route.split(" ");
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers,
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text === "" ? undefined : (JSON.parse(text) as unknown),
    };
  };
  const call = async <Body>(route: string, sent?: object): Promise<Body> => {
    const { status, body } = await request(route, sent);
    if (status >= 400)
      throw new RefusedError(status, `${route}: ${status} ${JSON.stringify(body)}`);
    return body as Body;
  };
  const chat = (id: string): Promise<Chat> => call(`GET /chats/${id}`);

  /** The whole history, and what waits behind it. */
  const history = async (id: string): Promise<{ messages: Message[]; queued: QueuedMessage[] }> => {
    const messages: Message[] = [];
    for (;;) {
      const after = messages.at(-1)?.seq ?? 0;
      const page = await call<MessagePage>(`GET /chats/${id}/messages?limit=200&after=${after}`);
      messages.push(...page.data);
      if (!page.has_more) return { messages, queued: page.queued };
    }
  };

  return {
    request,
    chat,
    history,
    createChat: (fields: NewChat): Promise<Chat> => call("POST /chats", fields),
    send: (id: string, content: string): Promise<SendMessageOutput> =>
      call(`POST /chats/${id}/messages`, { content }),
    interrupt: (id: string): Promise<Chat> => call(`POST /chats/${id}/interrupt`),
    submit: (id: string, results: NewResult[]): Promise<void> =>
      call(`POST /chats/${id}/tool-results`, { results }),
    /** Waits until the chat is in one of these states. */
    rests: (
      id: string,
      withinMs: number,
      statuses: readonly Chat["status"][] = ["waiting", "requires_action", "error"],
    ): Promise<Chat> =>
      until(`chat ${id} in ${statuses.join(" or ")}`, withinMs, async () => {
        const found = await chat(id);
        if (statuses.includes(found.status)) return found;
        throw new Error(`it is ${JSON.stringify(found)}`);
      }),
    /** The events of a chat after a version, until the connection ends or the signal is aborted. */
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
        throw new RefusedError(response.status, `stream of ${id}: ${await response.text()}`);
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
