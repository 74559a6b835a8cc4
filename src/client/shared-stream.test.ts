import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StreamEvent } from "@/contract/stream-event";
import { createSharedStream } from "./shared-stream";
import type { openConnection } from "./stream-connection";
import { createStreamHub } from "./stream-hub";
import type { HubMessage, TabMessage } from "./stream-messages";
import type { TabLocks } from "./tab-locks";

type Opened = {
  url: () => string;
  tell: (events: readonly StreamEvent[]) => void;
  open: () => void;
  retried: number;
  closed: boolean;
};

/** A browser: tabs that hear each other, locks that pass on, connections that the test feeds. */
const createBrowser = () => {
  const channels = new Map<string, (message: TabMessage | HubMessage) => void>();
  const connections: Opened[] = [];
  const leads: (() => void)[] = [];
  const gone = new Map<string, (() => void)[]>();

  const connect: typeof openConnection = (options) => {
    const opened: Opened = {
      url: options.url,
      tell: (events) => options.onEvents(events as never),
      open: () => options.onState("open"),
      retried: 0,
      closed: false,
    };
    connections.push(opened);
    return {
      retryNow: () => void opened.retried++,
      close: () => {
        opened.closed = true;
      },
    };
  };

  const openTab = (name: string, { alone = false } = {}) => {
    let visible = true;
    const locks: TabLocks = {
      holdTab: (_tab, held) => held(),
      releaseTab: () => undefined,
      whenTabGone: (tab, callback) => gone.set(tab, [...(gone.get(tab) ?? []), callback]),
      holdLead: (lead) => {
        leads.push(lead);
        if (leads.length === 1) lead();
        return () => {
          const wasLeading = leads[0] === lead;
          leads.splice(leads.indexOf(lead), 1);
          if (wasLeading) leads[0]?.();
        };
      },
    };
    const stream = createSharedStream({
      tab: name,
      openChannel: (hear) => {
        channels.set(name, hear);
        return {
          post: (message) => {
            for (const [other, listen] of channels) if (other !== name) listen(message);
          },
          close: () => channels.delete(name),
        };
      },
      locks,
      isVisible: () => visible,
      alone,
      createHub: (ports) => createStreamHub({ ...ports, connect }),
    });
    return {
      stream,
      show: (shown: boolean): void => {
        visible = shown;
        stream.refresh();
      },
      /** @param version what the tab knows when it opens the chat. */
      watch: (chatId: string, version = 0) => {
        const seen: StreamEvent[] = [];
        const states: string[] = [];
        const known = { version };
        const stop = stream.watchChat(chatId, {
          onEvents: (events) => {
            seen.push(...events);
            for (const event of events)
              if (event.type === "caught-up") known.version = event.version;
          },
          onState: (state) => states.push(state),
          version: () => known.version,
        });
        return { seen, states, stop };
      },
    };
  };

  const live = (): string[] =>
    connections.filter(({ closed }) => !closed).map(({ url }) => url().replace("/api/v1", ""));
  const connectionOf = (part: string): Opened => {
    const found = connections.find(({ closed, url }) => !closed && url().includes(part));
    if (!found) throw new Error(`no connection to ${part}`);
    return found;
  };
  /** The tab ends without a word, as in a crash. */
  const crash = (name: string): void => {
    channels.delete(name);
    gone.get(name)?.forEach((callback) => callback());
  };
  return { openTab, live, connectionOf, crash };
};

const caughtUp = (version: number): StreamEvent => ({ type: "caught-up", version });
const reset: StreamEvent = { type: "preview-reset", attempt: 1 };
const said = (seq: number, text: string): StreamEvent => ({
  type: "preview",
  attempt: 1,
  seq,
  ops: [{ op: "text-append", index: 0, text }],
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the tabs of a browser", () => {
  it("share one stream of a chat and one of the list", () => {
    const { openTab, live, connectionOf } = createBrowser();
    const watches = Array.from({ length: 10 }, (_, index) => openTab(`tab ${index}`).watch("x", 5));
    expect(live()).toEqual(["/watch", "/chats/x/stream?after=5"]);
    connectionOf("/chats/x").tell([reset, said(0, "hello")]);
    for (const { seen } of watches) expect(seen).toEqual([reset, said(0, "hello")]);
  });

  it("tell one that comes late what the others know, once and in order", () => {
    const { openTab, connectionOf } = createBrowser();
    openTab("first").watch("x", 5);
    connectionOf("/chats/x").tell([reset, said(0, "he")]);
    const { seen } = openTab("second").watch("x", 5);
    connectionOf("/chats/x").tell([said(1, "llo")]);
    expect(seen).toEqual([reset, said(0, "he"), said(1, "llo")]);
  });

  it("go back for one that knows less than the stream began behind", () => {
    const { openTab, live } = createBrowser();
    openTab("first").watch("x", 9);
    openTab("second").watch("x", 4);
    expect(live()).toEqual(["/watch", "/chats/x/stream?after=4"]);
  });

  it("keep at most two chats streaming, and a changed one gets its turn", () => {
    const { openTab, live, connectionOf } = createBrowser();
    const first = openTab("1").watch("one");
    openTab("2").watch("two");
    openTab("3").watch("three");
    expect(live()).toEqual(["/watch", "/chats/two/stream?after=0", "/chats/three/stream?after=0"]);
    expect(first.states.at(-1)).toBe("paused");
    connectionOf("/watch").tell([{ type: "chat.updated", chat: { id: "one" } }] as never);
    expect(live()).toEqual(["/watch", "/chats/three/stream?after=0", "/chats/one/stream?after=0"]);
    connectionOf("/chats/one").tell([caughtUp(3)]);
    expect(first.seen).toEqual([caughtUp(3)]);
  });

  it("let go of a chat whose tabs have been hidden for a minute, and take it up where it was", () => {
    const { openTab, live, connectionOf } = createBrowser();
    const tab = openTab("only");
    tab.watch("x", 5);
    connectionOf("/chats/x").tell([caughtUp(8)]);
    tab.show(false);
    expect(live()).toHaveLength(2);
    vi.advanceTimersByTime(60_000);
    expect(live()).toEqual(["/watch"]);
    tab.show(true);
    expect(live()).toEqual(["/watch", "/chats/x/stream?after=8"]);
  });

  it.each(["closes", "stops watching", "crashes"])("close a stream when its last tab %s", (how) => {
    const { openTab, live, crash } = createBrowser();
    openTab("leader");
    const tab = openTab("other");
    const { stop } = tab.watch("x");
    expect(live()).toHaveLength(2);
    if (how === "closes") tab.stream.close();
    else if (how === "crashes") crash("other");
    else stop();
    expect(live()).toEqual(["/watch"]);
  });

  it("go on from their version when the one that led is closed", () => {
    const { openTab, live, connectionOf } = createBrowser();
    const leader = openTab("leader");
    leader.watch("x", 5);
    const { seen } = openTab("other").watch("x", 5);
    connectionOf("/chats/x").tell([caughtUp(8)]);
    leader.stream.close();
    expect(live()).toEqual(["/watch", "/chats/x/stream?after=8"]);
    connectionOf("/chats/x").tell([caughtUp(9)]);
    expect(seen).toEqual([caughtUp(8), caughtUp(9)]);
  });

  it("try again at once when somebody looks", () => {
    const { openTab, connectionOf } = createBrowser();
    const tab = openTab("only");
    tab.watch("x");
    const before = connectionOf("/chats/x").retried;
    tab.show(true);
    expect(connectionOf("/chats/x").retried).toBeGreaterThan(before);
  });
});

describe("a tab that cannot hear the others", () => {
  it("lets go of its connections as soon as it is hidden", () => {
    const { openTab, live } = createBrowser();
    const tab = openTab("alone", { alone: true });
    tab.watch("x");
    expect(live()).toHaveLength(2);
    tab.show(false);
    expect(live()).toEqual([]);
    tab.show(true);
    expect(live()).toHaveLength(2);
  });
});
