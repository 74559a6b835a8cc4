import { createStreamHub, type StreamHub } from "./stream-hub";
import type { Channel, ChannelMessage, HubMessage, SubscriptionMessage } from "./stream-messages";
import type { TabLocks } from "./tab-locks";

/**
 * How long a visible tab waits for the leader's answer before it opens connections of its own. The browser
 * may have frozen the leader, which then keeps its lock.
 */
const LEADER_TIMEOUT_MS = 3_000;

export type HubLinkDeps = {
  openChannel: (onMessage: (message: ChannelMessage) => void) => Channel;
  locks: TabLocks;
  /** Whether tabs cannot exchange messages, so that each needs its own connections. */
  isIsolated: boolean;
  createHub?: typeof createStreamHub;
};

/**
 * Links a tab to the hub that serves it: the leader's, its own while it leads, or one for this tab only
 * while the leader does not answer.
 *
 * @param onMessage receives the hub's messages; after `leader-changed` the tab must subscribe again.
 */
export const createHubLink = (deps: HubLinkDeps, onMessage: (message: HubMessage) => void) => {
  const { openChannel, locks, isIsolated, createHub = createStreamHub } = deps;
  /** The connections for all tabs, if this tab leads. */
  let sharedHub: StreamHub | undefined;
  /** The connections for this tab only, while the leader does not answer. */
  let ownHub: StreamHub | undefined;

  const closeOwnHub = (): void => {
    ownHub?.close();
    ownHub = undefined;
  };
  const changeLeader = (): void => {
    closeOwnHub();
    onMessage({ type: "leader-changed" });
  };
  const handlePong = (): void => {
    if (ownHub) changeLeader();
    probe.handleAnswer();
  };
  const channel = openChannel((message) => {
    if (message.type === "ping") {
      if (sharedHub) channel.post({ type: "pong" });
    } else if (message.type === "subscribe" || message.type === "close") {
      sharedHub?.receive(message);
    } else if (message.type === "pong") handlePong();
    else if (message.type === "leader-changed") changeLeader();
    // A leader that was frozen first sends events from before.
    else if (!ownHub) onMessage(message);
  });
  const probe = createLeaderProbe({
    ask: () => channel.post({ type: "ping" }),
    onSilence: () => {
      if (ownHub) return;
      ownHub = createHub({ post: onMessage, onTabClosed: () => undefined, isIsolated: true });
      onMessage({ type: "leader-changed" });
    },
  });
  const startLeading = (): void => {
    const post = (message: HubMessage): void => {
      channel.post(message);
      onMessage(message);
    };
    closeOwnHub();
    sharedHub = createHub({ post, onTabClosed: locks.onTabClosed, isIsolated });
    post({ type: "leader-changed" });
  };
  const stopLeading = locks.requestLeadership(startLeading);

  return {
    send: (message: SubscriptionMessage): void => {
      const hub = sharedHub ?? ownHub;
      if (hub) hub.receive(message);
      else channel.post(message);
      if (!sharedHub && message.type === "subscribe" && message.isVisible) probe.start();
      else probe.stop();
    },
    close: (): void => {
      closeOwnHub();
      sharedHub?.close();
      sharedHub = undefined;
      stopLeading();
      channel.close();
    },
  };
};

/** Asks the leader again and again whether it is there. */
const createLeaderProbe = ({ ask, onSilence }: { ask: () => void; onSilence: () => void }) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (next: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(next, LEADER_TIMEOUT_MS);
  };
  const start = (): void => {
    wait(() => {
      start();
      onSilence();
    });
    ask();
  };
  return {
    start,
    handleAnswer: (): void => {
      if (timer !== undefined) wait(start);
    },
    stop: (): void => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
};
