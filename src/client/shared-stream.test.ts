import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StreamEvent } from "@/contract/stream-event";
import { createSharedStream } from "./shared-stream";
import type { openConnection } from "./stream-connection";
import { createStreamHub, type HubTab } from "./stream-hub";
import type { HubMessage, HubPort } from "./stream-messages";

type FakeConnection = {
  getUrl: () => string;
  emit: (events: readonly StreamEvent[]) => void;
  open: () => void;
  fail: () => void;
  retryCount: number;
  isClosed: boolean;
};

/** A browser whose tabs share a hub, and connections whose events the test emits. */
const createBrowser = ({ hasSharedWorkers = true } = {}) => {
  let connections: FakeConnection[] = [];
  const connect: typeof openConnection = (options) => {
    const connection: FakeConnection = {
      getUrl: options.getUrl,
      emit: (events) => options.onEvents(events as never),
      open: () => options.onState("open"),
      fail: () => options.onState("failed"),
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

  /** The hub of the shared worker; undefined while none answers. */
  let sharedHub: ReturnType<typeof createStreamHub> | undefined = createStreamHub({ connect });
  const crashedTabs = new Set<string>();

  const openTab = (tabId: string) => {
    let isVisible = true;
    const openPort = (hub: typeof sharedHub, onMessage: (message: HubMessage) => void): HubPort => {
      const tab: HubTab | undefined = hub?.openTab((message) => {
        if (hub === sharedHub && !crashedTabs.has(tabId)) onMessage(message);
      });
      return {
        post: (message) => {
          if (hub === sharedHub && !crashedTabs.has(tabId)) tab?.receive(message);
        },
        close: () => undefined,
      };
    };
    const stream = createSharedStream({
      openSharedHub: (onMessage) => (hasSharedWorkers ? openPort(sharedHub, onMessage) : undefined),
      openOwnHub: (onMessage) => {
        const tab = createStreamHub({ connect, isIsolated: true }).openTab(onMessage);
        return {
          post: (message) => {
            if (!crashedTabs.has(tabId)) tab.receive(message);
          },
          close: () => undefined,
        };
      },
      isVisible: () => isVisible,
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
  return {
    openTab,
    openUrls,
    findConnection,
    /** Ends a tab without a message. */
    crashTab: (tabId: string): void => void crashedTabs.add(tabId),
    /** Ends the worker with its connections, without a message. @returns a function by which a new one can start. */
    crashWorker: (): (() => void) => {
      connections = [];
      sharedHub = undefined;
      return () => {
        sharedHub = createStreamHub({ connect });
      };
    },
  };
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

  it.each(["closes", "unsubscribes"])("close a stream when its last tab %s", (how) => {
    const { openTab, openUrls } = createBrowser();
    openTab("first");
    const tab = openTab("other");
    const { unsubscribe } = tab.openChat("x");
    expect(openUrls()).toHaveLength(2);
    if (how === "closes") tab.stream.close();
    else unsubscribe();
    expect(openUrls()).toEqual(["/watch"]);
  });

  it("close the stream of a tab that has crashed after a minute, and keep those of the others", () => {
    const { openTab, openUrls, crashTab } = createBrowser();
    openTab("crashing").openChat("x");
    openTab("other").openChat("y");
    crashTab("crashing");
    vi.advanceTimersByTime(59_000);
    expect(openUrls()).toHaveLength(3);
    vi.advanceTimersByTime(61_000);
    expect(openUrls()).toEqual(["/watch", "/chats/y/stream?after=0"]);
    vi.advanceTimersByTime(600_000);
    expect(openUrls()).toEqual(["/watch", "/chats/y/stream?after=0"]);
  });

  it("close all connections with the last tab", () => {
    const { openTab, openUrls } = createBrowser();
    const tab = openTab("only");
    tab.openChat("x");
    tab.stream.close();
    expect(openUrls()).toEqual([]);
  });

  it("resume at their versions in a new worker when theirs has crashed", () => {
    const { openTab, openUrls, findConnection, crashWorker } = createBrowser();
    const { events } = openTab("one").openChat("x", 5);
    const hidden = openTab("hidden");
    hidden.openChat("y");
    findConnection("/chats/x").emit([caughtUpEvent(8)]);
    hidden.setVisible(false);
    const allowStart = crashWorker();
    expect(openUrls()).toEqual([]);
    vi.advanceTimersByTime(6_000);
    // Until a worker answers, each visible tab has connections of its own.
    expect(openUrls()).toEqual(["/watch", "/chats/x/stream?after=8"]);
    findConnection("/chats/x").emit([caughtUpEvent(9)]);
    allowStart();
    vi.advanceTimersByTime(60_000);
    expect(openUrls()).toEqual(["/watch", "/chats/x/stream?after=9"]);
    findConnection("/chats/x").emit([caughtUpEvent(10)]);
    hidden.setVisible(true);
    vi.advanceTimersByTime(6_000);
    expect(openUrls()).toEqual(["/watch", "/chats/x/stream?after=10", "/chats/y/stream?after=0"]);
    expect(events).toEqual([caughtUpEvent(8), caughtUpEvent(9), caughtUpEvent(10)]);
  });

  it("open the stream over all chats anew for a tab that comes after the end of a session", () => {
    const { openTab, openUrls, findConnection } = createBrowser();
    openTab("of the old session");
    findConnection("/watch").fail();
    const states: string[] = [];
    openTab("of the new one").stream.subscribeToWatch({
      onEvents: () => undefined,
      onState: (state) => states.push(state),
    });
    expect(openUrls()).toEqual(["/watch"]);
    findConnection("/watch").open();
    expect(states.at(-1)).toBe("open");
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

describe("a tab without shared workers", () => {
  it("closes its connections as soon as it is hidden", () => {
    const { openTab, openUrls } = createBrowser({ hasSharedWorkers: false });
    const tab = openTab("alone");
    tab.openChat("x");
    expect(openUrls()).toHaveLength(2);
    tab.setVisible(false);
    expect(openUrls()).toEqual([]);
    tab.setVisible(true);
    expect(openUrls()).toHaveLength(2);
  });
});
