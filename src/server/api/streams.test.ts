import { createTRPCClient, httpSubscriptionLink } from "@trpc/client";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { afterEach, describe, expect, it } from "vitest";
import { OpenedChat } from "@/contract/chat-outputs";
import { StreamEvent, WatchEvent } from "@/contract/stream-event";
import { ownedBy } from "@/server/db/chats/viewer";
import { startTestAgent } from "@/test/agent-fixture";
import { createApiFixture, createClient, ORIGIN, type TestClient } from "@/test/api-client";
import { writeMessage } from "@/test/chat-rows";
import { commitAnswer, claimChat, openCall } from "@/test/park-chat";
import { testProcess } from "@/test/test-process";
import type { AppRouter } from "./router";

const { db, api, client } = await createApiFixture();

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

/** Opens a stream over REST, as a browser does. */
const watch = (path: string, headers: Record<string, string> = {}) =>
  openEvents(client.request(`GET ${path}`, undefined, headers));

/** Sends a request whose response is an event stream. */
const openEvents = async (sent: Request) => {
  const aborted = new AbortController();
  const response = await api.api.handleRest(new Request(sent, { signal: aborted.signal }));
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const messages: EventSourceMessage[] = [];
  let retry = 0;
  let isOver = false;
  const parser = createParser({
    onEvent: (event) => {
      messages.push(event);
    },
    onRetry: (ms) => {
      retry = ms;
    },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const events = () => messages.map(({ data }) => StreamEvent.parse(JSON.parse(data)));
  /** Reads until the events satisfy the condition. */
  const until = async (isWanted: (events: StreamEvent[]) => boolean): Promise<StreamEvent[]> => {
    while (!isWanted(events())) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) throw new Error(`ended with ${JSON.stringify(events())}`);
      parser.feed(chunk.value);
    }
    return events();
  };
  open.push(async () => {
    if (!isOver) await reader?.cancel();
  });
  return {
    response,
    messages,
    events,
    until,
    caughtUp: () => until((received) => received.some(({ type }) => type === "caught-up")),
    retry: () => retry,
    readToEnd: async () => {
      isOver = true;
      for (;;) {
        const chunk = await reader?.read();
        if (!chunk || chunk.done) return;
        parser.feed(chunk.value);
      }
    },
    abort: () => {
      aborted.abort();
    },
  };
};

const types = (events: StreamEvent[]) => events.map(({ type }) => type);

describe("the streams of one API key", () => {
  it("are at most 100; one more is refused with a time to retry, and changes nothing", async () => {
    const [busy, other] = [await createClient(db, api), await createClient(db, api)];
    const id = await busy.startChat();
    const openOne = (of: TestClient) => openEvents(of.request("GET /watch"));
    const streams = [];
    for (let count = 0; count < 100; count++) streams.push(await openOne(busy));

    const refused = await busy.fail(`GET /chats/${id}/stream`);
    expect([refused.status, refused.problem.code]).toEqual([429, "limit_exceeded"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const accept = { accept: "text/event-stream", "idempotency-key": "full" };
    const created = await busy.fail("POST /chats", { content: "Follow me" }, accept);
    expect(created.status).toBe(429);
    expect(await db.prisma.chat.count({ where: { ...ownedBy(busy), title: "Follow me" } })).toBe(0);
    expect((await busy.call(`GET /chats/${id}`)).status).toBe(200);
    const trpc = await api.api.handleTrpc(
      new Request(`${ORIGIN}/api/trpc/chats.watchAll`, {
        headers: { authorization: `Bearer ${busy.key}`, accept: "text/event-stream" },
      }),
    );
    expect(await trpc.text()).toContain("limit_exceeded");

    expect((await openOne(other)).response.status).toBe(200);
    streams[0]?.abort();
    await expect
      .poll(async () => {
        const response = await api.api.handleRest(busy.request("GET /watch"));
        await response.body?.cancel();
        return response.status;
      })
      .toBe(200);
    const again = await openEvents(busy.request("POST /chats", { content: "Follow me" }, accept));
    expect(again.response.status).toBe(201);
  });
});

describe("POST /chats with Accept: text/event-stream", () => {
  const ACCEPT = { accept: "text/event-stream" };
  const start = (fields: object = {}, headers: object = {}) =>
    client.request("POST /chats", { content: "Hello", ...fields }, { ...ACCEPT, ...headers });
  const chatIn = (received: StreamEvent[]) => {
    const last = received.findLast((event) => event.type === "chat");
    if (!last) throw new Error("no chat event was received");
    return last.chat;
  };

  it("creates the chat and streams the events of GET …/stream", async () => {
    const stream = await openEvents(start({ dynamic_tools: [{ name: "deploy" }] }));
    expect(stream.response.status).toBe(201);
    const received = await stream.caughtUp();
    const { id } = chatIn(received);
    expect(stream.response.headers.get("location")).toBe(`/api/v1/chats/${id}`);
    expect(stream.response.headers.get("x-request-id")).not.toBeNull();
    expect(received).toEqual(await (await watch(`/chats/${id}/stream`)).caughtUp());

    await commitAnswer(db, id, { parts: [openCall("a", "deploy")], after: "park" });
    await stream.until((events) => chatIn(events).status === "requires_action");
  });

  it("continues while the turn waits for an action and ends with the turn", async () => {
    const stream = await openEvents(start({ dynamic_tools: [{ name: "deploy" }] }));
    const { id } = chatIn(await stream.caughtUp());
    await commitAnswer(db, id, { parts: [openCall("a", "deploy")], after: "park" });
    await stream.until((events) => chatIn(events).status === "requires_action");
    await client.call(`POST /chats/${id}/tool-results`, {
      results: [{ tool_call_id: "a", output: 1 }],
    });
    await commitAnswer(db, id, { parts: [{ type: "text", text: "done" }], after: "finish" });
    await stream.readToEnd();
    expect(chatIn(stream.events()).status).toBe("waiting");
  });

  it("streams a turn that has already ended", async () => {
    const key = { "idempotency-key": "follow-late" };
    const first = await openEvents(start({}, key));
    const { id } = chatIn(await first.caughtUp());
    await commitAnswer(db, id, { parts: [{ type: "text", text: "done" }], after: "finish" });
    await first.readToEnd();
    const again = await openEvents(start({}, key));
    await again.readToEnd();
    expect(types(again.events())).toEqual([
      "message",
      "message",
      "chat",
      "preview-reset",
      "caught-up",
    ]);
  });

  it("streams the same chat when the request is retried with its key", async () => {
    const key = { "idempotency-key": "follow-once" };
    const first = chatIn(await (await openEvents(start({}, key))).caughtUp());
    const again = await openEvents(start({}, key));
    expect(again.response.headers.get("idempotency-replayed")).toBe("true");
    expect(chatIn(await again.caughtUp()).id).toBe(first.id);
  });

  it("responds to invalid input with a problem document", async () => {
    const { status, problem } = await client.fail("POST /chats", { content: "" }, ACCEPT);
    expect(status).toBe(400);
    expect(problem.errors?.[0]?.pointer).toBe("/content");
  });

  it("ignores the header for other operations", async () => {
    const id = await client.startChat();
    const { status, body } = await client.call(`GET /chats/${id}`, undefined, ACCEPT);
    expect([status, (body as { id: string }).id]).toEqual([200, id]);
  });
});

describe("GET /chats/{id}/stream", () => {
  it("streams committed state, then `caught-up`", async () => {
    const id = await client.startChat();
    const stream = await watch(`/chats/${id}/stream`);

    const received = await stream.caughtUp();

    expect(types(received)).toEqual(["message", "chat", "preview-reset", "caught-up"]);
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    });
    expect(stream.retry()).toBeGreaterThan(0);
    expect(stream.messages.map(({ event }) => event)).toEqual(types(received));
    // The cursor advances with the chat event, which follows all messages of its version.
    expect(stream.messages.map((message) => message.id)).toEqual(["0", "1", undefined, "1"]);
    const { body } = await client.call(`GET /chats/${id}`);
    expect(received[1]).toEqual({
      type: "chat",
      chat: { ...(body as object), last_answer: undefined, queue: [] },
    });
  });

  it("resumes after the client's version", async () => {
    const id = await client.startChat();
    for (const cursor of [{ after: "1" }, { "last-event-id": "1" }]) {
      const { after, ...headers } = { after: undefined, ...cursor };
      const path = `/chats/${id}/stream${after ? `?after=${after}` : ""}`;
      const received = await (await watch(path, headers)).caughtUp();
      expect(types(received)).toEqual(["chat", "preview-reset", "caught-up"]);
    }
  });

  it("tells all agents of a chat whenever one changes, and lists the same", async () => {
    const id = await client.startChat();
    const stream = await watch(`/chats/${id}/stream`);
    await stream.caughtUp();
    const agentId = await startTestAgent(db, { chatId: id, title: "Read it" });
    const getAgents = (received: StreamEvent[]) =>
      received.flatMap((event) => (event.type === "agents" ? [event.agents] : [])).at(-1);
    const started = await stream.until((received) => getAgents(received) !== undefined);
    expect(getAgents(started)).toMatchObject([
      { chat_id: agentId, title: "Read it", status: "pending", task_state: "running" },
    ]);
    await client.call(`POST /chats/${agentId}/interrupt`, {});
    const stopped = await stream.until(
      (received) => getAgents(received)?.[0]?.status === "interrupting",
    );
    const { body } = await client.call(`GET /chats/${id}/children`);
    expect(body).toEqual({ data: getAgents(stopped) });
    const opened = OpenedChat.parse((await client.call(`GET /chats/${id}/open`)).body);
    expect(opened.agents).toEqual(getAgents(stopped));
  });

  it("streams nothing of a long chat to a client that has opened it", async () => {
    const id = await client.startChat();
    for (let seq = 2; seq <= 300; seq++) await writeMessage(db, id, { seq, revision: 1 });
    const { body } = await client.call(`GET /chats/${id}/open?limit=50`);
    const { chat, data, has_more } = OpenedChat.parse(body);
    expect([data.length, data.at(-1)?.seq, has_more]).toEqual([50, 300, true]);
    const stream = await watch(`/chats/${id}/stream?after=${chat.version}`);
    expect(types(await stream.caughtUp())).toEqual(["chat", "preview-reset", "caught-up"]);
  });

  it("streams changes, including a required action", async () => {
    const id = await client.startChat({ dynamic_tools: [{ name: "deploy" }] });
    const stream = await watch(`/chats/${id}/stream`);
    await stream.caughtUp();

    await commitAnswer(db, id, { parts: [openCall("a", "deploy")], after: "park" });
    const parked = await stream.until((received) =>
      received.some((event) => event.type === "chat" && event.chat.required_action !== null),
    );
    const [message] = parked.filter(({ type }) => type === "message").slice(-1);
    expect(message).toMatchObject({ message: { seq: 2, role: "assistant" } });

    await client.call(`POST /chats/${id}/tool-results`, {
      results: [{ tool_call_id: "a", output: false }],
    });
    await stream.until((received) =>
      received.some(
        (event) =>
          event.type === "chat" && event.chat.status === "pending" && event.chat.version > 3,
      ),
    );
    const answered = stream.events().findLast((event) => event.type === "message");
    expect(answered).toMatchObject({ message: { parts: [{ output: false, state: "completed" }] } });
  });

  it("streams previews without ids", async () => {
    const id = await client.startChat();
    const stream = await watch(`/chats/${id}/stream`);
    await stream.caughtUp();
    const chat = await claimChat(db, id);
    const writer = testProcess(db).relay.open(id);
    writer.reset(chat.attempt, chat.historyVersion);
    writer.write({ op: "text-start", index: 0 });
    writer.write({ op: "text-append", index: 0, text: "Once upon" });

    await stream.until((received) => received.some(({ type }) => type === "preview"));
    const index = stream.events().findIndex(({ type }) => type === "preview");
    expect(stream.messages[index]?.id).toBeUndefined();
    writer.end();
  });

  it.each([
    ["a word", "after=soon", "/after"],
    ["a negative number", "after=-1", "/after"],
    ["a fraction", "after=1.5", "/after"],
    ["ahead of the chat", "after=99", "/after"],
    ["twice", "after=1&after=1", "/after"],
    ["too large for a number", `after=${"9".repeat(30)}`, "/after"],
  ])("rejects a cursor: %s", async (_, query, pointer) => {
    const id = await client.startChat();
    const { status, problem } = await client.fail(`GET /chats/${id}/stream?${query}`);
    expect(status).toBe(400);
    expect(new Set(problem.errors?.map((error) => error.pointer))).toEqual(new Set([pointer]));
  });

  it("reports the chat's version when Last-Event-ID is ahead of it", async () => {
    const id = await client.startChat();
    const headers = { "last-event-id": "7" };
    const { problem } = await client.fail(`GET /chats/${id}/stream`, undefined, headers);
    expect(problem.detail).toContain("version 1");
  });

  it("ends when the client aborts the request", async () => {
    const id = await client.startChat();
    const stream = await watch(`/chats/${id}/stream`);
    await stream.caughtUp();
    stream.abort();
    await stream.readToEnd();
  });

  it("ends when the chat is deleted", async () => {
    const id = await client.startChat();
    await commitAnswer(db, id, { parts: [{ type: "text", text: "Hi" }], after: "finish" });
    const stream = await watch(`/chats/${id}/stream`);
    await stream.caughtUp();
    expect((await client.call(`DELETE /chats/${id}`)).status).toBe(204);
    await stream.readToEnd();
    expect((await client.fail(`GET /chats/${id}/stream`)).status).toBe(404);
  });
});

describe("GET /watch", () => {
  it("streams changes of all of the caller's chats", async () => {
    const response = await api.api.handleRest(client.request("GET /watch"));
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    open.push(async () => reader?.cancel());
    const received: WatchEvent[] = [];
    const parser = createParser({
      onEvent: ({ data }) => {
        received.push(WatchEvent.parse(JSON.parse(data)));
      },
    });
    const until = async (isWanted: (event: WatchEvent) => boolean): Promise<WatchEvent> => {
      for (;;) {
        const found = received.find(isWanted);
        if (found) return found;
        const chunk = await reader?.read();
        if (!chunk || chunk.done) throw new Error("the stream ended");
        parser.feed(chunk.value);
      }
    };

    // The stream is known to be open once it has sent this event.
    const first = await client.startChat({ dynamic_tools: [{ name: "deploy" }] });
    await commitAnswer(db, first, { parts: [openCall("a", "deploy")], after: "park" });
    const parked = await until(
      (event) => event.type === "chat.action_required" && event.chat.id === first,
    );
    expect(parked).toMatchObject({
      root_chat_id: first,
      required_action: { tool_calls: [{ tool_call_id: "a" }] },
    });
    const agent = await startTestAgent(db, { chatId: first });
    await commitAnswer(db, agent, { parts: [openCall("b", "deploy")], after: "park" });
    const asked = await until(
      (event) => event.type === "chat.action_required" && event.chat.id === agent,
    );
    expect(asked).toMatchObject({
      root_chat_id: first,
      chat: { parent_chat_id: first },
      required_action: { tool_calls: [{ tool_call_id: "b" }] },
    });

    const second = await client.startChat();
    await until((event) => event.type === "chat.created" && event.chat.id === second);
    await commitAnswer(db, second, { parts: [{ type: "text", text: "Hi" }], after: "finish" });
    await until(
      (event) =>
        event.type === "chat.updated" &&
        event.chat.id === second &&
        event.chat.status === "waiting",
    );
    await client.call(`DELETE /chats/${second}`);
    await until((event) => event.type === "chat.deleted" && event.id === second);
  });
});

describe("tRPC subscriptions", () => {
  const subscribe = (lastEventId?: string) => {
    const trpc = createTRPCClient<AppRouter>({
      links: [
        httpSubscriptionLink({
          url: `${ORIGIN}/api/trpc`,
          EventSource: fetchEventSource(lastEventId) as never,
        }),
      ],
    });
    return trpc;
  };

  /** An EventSource that calls the handler with an API key instead of a session cookie. */
  const fetchEventSource = (lastEventId?: string) =>
    class extends EventTarget {
      static CONNECTING = 0;
      static OPEN = 1;
      static CLOSED = 2;
      readyState = 0;
      private readonly aborted = new AbortController();
      constructor(url: string) {
        super();
        void this.run(url).catch(() => undefined);
      }
      async run(url: string) {
        const response = await api.api.handleTrpc(
          new Request(url, {
            signal: this.aborted.signal,
            headers: {
              authorization: `Bearer ${client.key}`,
              ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
            },
          }),
        );
        this.readyState = 1;
        const parser = createParser({
          onEvent: ({ event = "message", data, id = "" }) => {
            this.dispatchEvent(new MessageEvent(event, { data, lastEventId: id }));
          },
        });
        this.dispatchEvent(new Event("open"));
        const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
        for (;;) {
          const chunk = await reader?.read();
          if (!chunk || chunk.done) return;
          parser.feed(chunk.value);
        }
      }
      close() {
        this.readyState = 2;
        this.aborted.abort();
      }
    };

  const collect = (chatId: string, lastEventId?: string) =>
    new Promise<{ id: string; data: StreamEvent }[]>((resolve, reject) => {
      const received: { id: string; data: StreamEvent }[] = [];
      const subscription = subscribe(lastEventId).chats.watch.subscribe(
        { chat_id: chatId },
        {
          onData: (event) => {
            received.push(event);
            if (event.data.type !== "caught-up") return;
            subscription.unsubscribe();
            resolve(received);
          },
          onError: reject,
        },
      );
    });

  it("send the same events as the REST stream", async () => {
    const id = await client.startChat();
    const stream = await watch(`/chats/${id}/stream`);
    const received = await collect(id);
    expect(received.map(({ data }) => data)).toEqual(await stream.caughtUp());
    expect(received.map((event) => event.id)).toEqual(["0", "1", "1", "1"]);
  });

  it("tell over all chats which chat takes the answers for an agent", async () => {
    const id = await client.startChat();
    const agent = await startTestAgent(db, { chatId: id });
    await commitAnswer(db, agent, { parts: [openCall("a", "deploy")], after: "park" });
    const asked = await new Promise<WatchEvent>((resolve, reject) => {
      const subscription = subscribe().chats.watchAll.subscribe(
        {},
        {
          onData: ({ data: event }) => {
            if (event.type !== "chat.action_required" || event.chat.id !== agent) return;
            subscription.unsubscribe();
            resolve(event);
          },
          onError: reject,
        },
      );
    });
    expect(asked).toMatchObject({ root_chat_id: id, chat: { parent_chat_id: id } });
  });

  it("resume after the client's last event", async () => {
    const id = await client.startChat();
    const received = await collect(id, "1");
    expect(types(received.map(({ data }) => data))).toEqual(["chat", "preview-reset", "caught-up"]);
  });
});
