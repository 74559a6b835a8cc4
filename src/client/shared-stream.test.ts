import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StreamEvent } from "@/contract/stream-event";
import { createSharedStream } from "./shared-stream";
import type { openConnection } from "./stream-connection";
import { createStreamHub } from "./stream-hub";
import type { ChannelMessage } from "./stream-messages";
import type { TabLocks } from "./tab-locks";

type FakeConnection = {
  getUrl: () => string;
  emit: (events: readonly StreamEvent[]) => void;
  open: () => void;
  retryCount: number;
  isClosed: boolean;
};

/** A browser with tabs that share channels and locks, and connections whose events the test emits. */
const createBrowser = () => {
  const channels = new Map<string, (message: ChannelMessage) => void>();
  const connections: FakeConnection[] = [];
  const candidates: (() => void)[] = [];
  const closeCallbacks = new Map<string, (() => void)[]>();
  /** The messages that frozen tabs will receive. */
  const frozen = new Map<string, ChannelMessage[]>();

  const connect: typeof openConnection = (options) => {
    const connection: FakeConnection = {
      getUrl: options.getUrl,
      emit: (events) => options.onEvents(events as never),
      open: () => options.onState("open"),
      retryCount: 0,
      isClosed: false,
    };
    connections.push(connection);
    return {
      retryNow: () => void connection.retryCount++,
      close: () => {
        connection.isClosed = true;
      },
    };
  };

  const openTab = (tabId: string, { isIsolated = false } = {}) => {
    let isVisible = true;
    const locks: TabLocks = {
      registerTab: (_tabId, onRegistered) => onRegistered(),
      unregisterTab: () => undefined,
      onTabClosed: (closedId, callback) =>
        closeCallbacks.set(closedId, [...(closeCallbacks.get(closedId) ?? []), callback]),
      requestLeadership: (onElected) => {
        candidates.push(onElected);
        if (candidates.length === 1) onElected();
        return () => {
          const wasLeading = candidates[0] === onElected;
          candidates.splice(candidates.indexOf(onElected), 1);
          if (wasLeading) candidates[0]?.();
        };
      },
    };
    const stream = createSharedStream({
      tabId,
      openChannel: (onMessage) => {
        channels.set(tabId, onMessage);
        return {
          post: (message) => {
            for (const [otherId, listener] of channels) {
              if (otherId === tabId) continue;
              const delayed = frozen.get(otherId);
              if (delayed) delayed.push(message);
              else listener(message);
            }
          },
          close: () => channels.delete(tabId),
        };
      },
      locks,
      isVisible: () => isVisible,
      isIsolated,
      createHub: (deps) => createStreamHub({ ...deps, connect }),
    });
    return {
      stream,
      setVisible: (next: boolean): void => {
        isVisible = next;
        stream.refresh();
      },
      /** @param version the version that the tab has when it opens the chat. */
      openChat: (chatId: string, version = 0) => {
        const events: StreamEvent[] = [];
        const states: string[] = [];
        let current = version;
        const unsubscribe = stream.subscribeToChat(chatId, {
          onEvents: (received) => {
            events.push(...received);
            for (const event of received) if (event.type === "caught-up") current = event.version;
          },
          onState: (state) => states.push(state),
          getVersion: () => current,
        });
        return { events, states, unsubscribe };
      },
    };
  };

  const openUrls = (): string[] =>
    connections
      .filter(({ isClosed }) => !isClosed)
      .map(({ getUrl }) => getUrl().replace("/api/v1", ""));
  const findConnection = (part: string): FakeConnection => {
    const found = connections.find(({ isClosed, getUrl }) => !isClosed && getUrl().includes(part));
    if (!found) throw new Error(`no connection to ${part}`);
    return found;
  };
  /** Ends a tab without a message, as a crash does. */
  const crash = (tabId: string): void => {
    channels.delete(tabId);
    closeCallbacks.get(tabId)?.forEach((callback) => callback());
  };
  /** @returns a function that thaws the tab. */
  const freeze = (tabId: string): (() => void) => {
    const delayed: ChannelMessage[] = [];
    frozen.set(tabId, delayed);
    return () => {
      frozen.delete(tabId);
      for (const message of delayed) channels.get(tabId)?.(message);
    };
  };
  return { openTab, openUrls, findConnection, crash, freeze };
};

const caughtUpEvent = (version: number): StreamEvent => ({ type: "caught-up", version });
const RESET: StreamEvent = { type: "preview-reset", attempt: 1 };
const textEvent = (seq: number, text: string): StreamEvent => ({
  type: "preview",
  attempt: 1,
  seq,
  ops: [{ op: "text-append", index: 0, text }],
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the tabs of a browser", () => {
  it("share one chat stream and one watch stream", () => {
    const { openTab, openUrls, findConnection } = createBrowser();
    const chats = Array.from({ length: 10 }, (_, index) =>
      openTab(`tab ${index}`).openChat("x", 5),
    );
    expect(openUrls()).toEqual(["/watch", "/chats/x/stream?after=5"]);
    findConnection("/chats/x").emit([RESET, textEvent(0, "hello")]);
    for (const { events } of chats) expect(events).toEqual([RESET, textEvent(0, "hello")]);
  });

  it("replay earlier events to a late subscriber, once and in order", () => {
    const { openTab, findConnection } = createBrowser();
    openTab("first").openChat("x", 5);
    findConnection("/chats/x").emit([RESET, textEvent(0, "he")]);
    const { events } = openTab("second").openChat("x", 5);
    findConnection("/chats/x").emit([textEvent(1, "llo")]);
    expect(events).toEqual([RESET, textEvent(0, "he"), textEvent(1, "llo")]);
  });

  it("reopen the stream for a subscriber with an older version", () => {
    const { openTab, openUrls } = createBrowser();
    openTab("first").openChat("x", 9);
    openTab("second").openChat("x", 4);
    expect(openUrls()).toEqual(["/watch", "/chats/x/stream?after=4"]);
  });

  it("stream at most two chats and prefer the most recently changed", () => {
    const { openTab, openUrls, findConnection } = createBrowser();
    const first = openTab("1").openChat("one");
    openTab("2").openChat("two");
    openTab("3").openChat("three");
    expect(openUrls()).toEqual([
      "/watch",
      "/chats/two/stream?after=0",
      "/chats/three/stream?after=0",
    ]);
    expect(first.states.at(-1)).toBe("paused");
    findConnection("/watch").emit([{ type: "chat.updated", chat: { id: "one" } }] as never);
    expect(openUrls()).toEqual([
      "/watch",
      "/chats/three/stream?after=0",
      "/chats/one/stream?after=0",
    ]);
    findConnection("/chats/one").emit([caughtUpEvent(3)]);
    expect(first.events).toEqual([caughtUpEvent(3)]);
  });

  it("close a chat stream after a minute hidden and resume at its version", () => {
    const { openTab, openUrls, findConnection } = createBrowser();
    const tab = openTab("only");
    tab.openChat("x", 5);
    findConnection("/chats/x").emit([caughtUpEvent(8)]);
    tab.setVisible(false);
    expect(openUrls()).toHaveLength(2);
    vi.advanceTimersByTime(60_000);
    expect(openUrls()).toEqual(["/watch"]);
    tab.setVisible(true);
    expect(openUrls()).toEqual(["/watch", "/chats/x/stream?after=8"]);
  });

  it.each(["closes", "unsubscribes", "crashes"])("close a stream when its last tab %s", (how) => {
    const { openTab, openUrls, crash } = createBrowser();
    openTab("leader");
    const tab = openTab("other");
    const { unsubscribe } = tab.openChat("x");
    expect(openUrls()).toHaveLength(2);
    if (how === "closes") tab.stream.close();
    else if (how === "crashes") crash("other");
    else unsubscribe();
    expect(openUrls()).toEqual(["/watch"]);
  });

  it("resume at their version when the leader is closed", () => {
    const { openTab, openUrls, findConnection } = createBrowser();
    const leader = openTab("leader");
    leader.openChat("x", 5);
    const { events } = openTab("other").openChat("x", 5);
    findConnection("/chats/x").emit([caughtUpEvent(8)]);
    leader.stream.close();
    expect(openUrls()).toEqual(["/watch", "/chats/x/stream?after=8"]);
    findConnection("/chats/x").emit([caughtUpEvent(9)]);
    expect(events).toEqual([caughtUpEvent(8), caughtUpEvent(9)]);
  });

  it("have connections of their own while the leader is frozen", () => {
    const { openTab, openUrls, findConnection, freeze } = createBrowser();
    openTab("leader").openChat("y");
    const thaw = freeze("leader");
    const tab = openTab("other");
    const { events } = tab.openChat("x", 5);
    const shared = ["/watch", "/chats/y/stream?after=0"];
    expect(openUrls()).toEqual(shared);
    vi.advanceTimersByTime(3_000);
    expect(openUrls()).toEqual([...shared, "/watch", "/chats/x/stream?after=5"]);
    findConnection("/chats/x").emit([caughtUpEvent(8)]);
    tab.setVisible(false);
    expect(openUrls()).toEqual(shared);
    tab.setVisible(true);
    expect(openUrls()).toEqual([...shared, "/watch", "/chats/x/stream?after=8"]);
    thaw();
    // The leader begins at the first of the messages that it had not read.
    expect(openUrls()).toEqual([...shared, "/chats/x/stream?after=5"]);
    findConnection("/chats/x").emit([caughtUpEvent(9)]);
    expect(events).toEqual([caughtUpEvent(8), caughtUpEvent(9)]);
  });

  it("notice that the leader is frozen later, and drop what it sends from before", () => {
    const { openTab, openUrls, findConnection, freeze } = createBrowser();
    openTab("leader").openChat("x", 5);
    const { events } = openTab("other").openChat("x", 5);
    vi.advanceTimersByTime(60_000);
    expect(openUrls()).toEqual(["/watch", "/chats/x/stream?after=5"]);
    const thaw = freeze("leader");
    vi.advanceTimersByTime(6_000);
    expect(openUrls()).toHaveLength(4);
    findConnection("/chats/x").emit([RESET, textEvent(0, "hi")]);
    expect(events).toEqual([]);
    thaw();
    expect(openUrls()).toEqual(["/watch", "/chats/x/stream?after=5"]);
    expect(events).toEqual([RESET, textEvent(0, "hi")]);
  });

  it("retry at once when a tab becomes visible", () => {
    const { openTab, findConnection } = createBrowser();
    const tab = openTab("only");
    tab.openChat("x");
    const before = findConnection("/chats/x").retryCount;
    tab.setVisible(true);
    expect(findConnection("/chats/x").retryCount).toBeGreaterThan(before);
  });
});

describe("an isolated tab", () => {
  it("closes its connections as soon as it is hidden", () => {
    const { openTab, openUrls } = createBrowser();
    const tab = openTab("alone", { isIsolated: true });
    tab.openChat("x");
    expect(openUrls()).toHaveLength(2);
    tab.setVisible(false);
    expect(openUrls()).toEqual([]);
    tab.setVisible(true);
    expect(openUrls()).toHaveLength(2);
  });
});
