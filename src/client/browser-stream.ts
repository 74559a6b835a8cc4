import { v4 as createTabId } from "uuid";
import { createSharedStream, type SharedStream } from "./shared-stream";
import type { Channel, ChannelMessage } from "./stream-messages";
import { createWebLocks, isolatedLocks } from "./tab-locks";

const CHANNEL = "parley-feeds";
let stream: SharedStream | undefined;

/** Returns this tab's shared stream; the first call opens it. For the browser only. */
export const getBrowserStream = (): SharedStream => {
  if (stream) return stream;
  // Browsers offer the Web Locks API only over HTTPS and on localhost.
  const manager = "locks" in navigator ? navigator.locks : undefined;
  const canShare = manager !== undefined && "BroadcastChannel" in window;
  const opened = createSharedStream({
    tabId: createTabId(),
    openChannel: canShare ? openBroadcastChannel : () => NO_CHANNEL,
    locks: canShare ? createWebLocks(manager) : isolatedLocks,
    isIsolated: !canShare,
    isVisible: () => document.visibilityState === "visible",
  });
  stream = opened;
  document.addEventListener("visibilitychange", opened.refresh);
  window.addEventListener("online", opened.refresh);
  window.addEventListener("pagehide", () => {
    opened.close();
    stream = undefined;
  });
  // A page restored from the back/forward cache has lost its connections.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) window.location.reload();
  });
  return opened;
};

const openBroadcastChannel = (onMessage: (message: ChannelMessage) => void): Channel => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<ChannelMessage>) => onMessage(data);
  return {
    post: (message) => channel.postMessage(message),
    close: () => channel.close(),
  };
};

const NO_CHANNEL: Channel = { post: () => undefined, close: () => undefined };
