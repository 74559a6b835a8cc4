import type { HubMessage, HubPort, TabMessage } from "./stream-messages";

/**
 * How long a visible tab waits for the shared hub's answer before it opens connections of its own. The
 * browser may have ended the hub, without a word to its tabs, or not have loaded it.
 */
const ANSWER_TIMEOUT_MS = 3_000;
/** Longest time between two attempts to reach a hub that does not answer. */
const MAX_TIMEOUT_MS = 60_000;

type OnMessage = (message: HubMessage) => void;

export type HubLinkDeps = {
  /** Connects to the hub that all tabs of the browser share; undefined where there can be none. */
  openSharedHub: (onMessage: OnMessage) => HubPort | undefined;
  /** Opens a hub for this tab only. */
  openOwnHub: (onMessage: OnMessage) => HubPort;
};

/**
 * Links a tab to the hub that serves it: the shared one, or one of its own while that does not answer.
 *
 * @param onHubChanged is called after a change of the hub; the tab must then subscribe again.
 */
export const createHubLink = (
  { openSharedHub, openOwnHub }: HubLinkDeps,
  onMessage: OnMessage,
  onHubChanged: () => void,
) => {
  /** Unless the shared hub serves the tab. */
  let ownHub: HubPort | undefined;
  const openShared = (): HubPort | undefined => {
    const port = openSharedHub((message) => {
      // What a hub that was replaced has still sent.
      if (port !== sharedHub) return;
      if (message.type === "pong") handlePong();
      else if (!ownHub) onMessage(message);
    });
    return port;
  };
  const handlePong = (): void => {
    probe.handleAnswer();
    if (!ownHub) return;
    closeHub(ownHub);
    ownHub = undefined;
    onHubChanged();
  };
  let sharedHub = openShared();
  if (!sharedHub) ownHub = openOwnHub(onMessage);
  const probe = createHubProbe({
    ask: () => sharedHub?.post({ type: "ping" }),
    onSilence: () => {
      if (sharedHub) closeHub(sharedHub);
      // Starts the hub again, if the browser has ended it.
      sharedHub = openShared();
      if (ownHub) return;
      ownHub = openOwnHub(onMessage);
      onHubChanged();
    },
  });

  return {
    send: (message: TabMessage): void => {
      (ownHub ?? sharedHub)?.post(message);
      if (sharedHub && message.type === "subscribe" && message.isVisible) probe.start();
      else probe.stop();
    },
    close: (): void => {
      probe.stop();
      for (const hub of [ownHub, sharedHub]) if (hub) closeHub(hub);
    },
  };
};

const closeHub = (hub: HubPort): void => {
  hub.post({ type: "close" });
  hub.close();
};

/** Pings the shared hub regularly; each ping also shows the hub that the tab is alive. */
const createHubProbe = ({ ask, onSilence }: { ask: () => void; onSilence: () => void }) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timeoutMs = ANSWER_TIMEOUT_MS;
  const wait = (next: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(next, timeoutMs);
  };
  const start = (): void => {
    wait(() => {
      timeoutMs = Math.min(MAX_TIMEOUT_MS, timeoutMs * 2);
      onSilence();
      start();
    });
    ask();
  };
  return {
    start,
    handleAnswer: (): void => {
      timeoutMs = ANSWER_TIMEOUT_MS;
      if (timer !== undefined) wait(start);
    },
    stop: (): void => {
      clearTimeout(timer);
      timer = undefined;
    },
  };
};
