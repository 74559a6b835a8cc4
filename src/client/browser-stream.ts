import { v4 as newTabName } from "uuid";
import { createSharedStream, type SharedStream } from "./shared-stream";
import type { Channel, HubMessage, TabMessage } from "./stream-messages";
import { ownLead, webLocks } from "./tab-locks";

const CHANNEL = "parley-stream";
let stream: SharedStream | undefined;

/** This tab's part of the browser's one stream; opened by the first call, in the browser only. */
export const browserStream = (): SharedStream => {
  if (stream) return stream;
  // Absent where the page came over plain HTTP from another machine.
  const manager = "locks" in navigator ? navigator.locks : undefined;
  const canShare = manager !== undefined && "BroadcastChannel" in window;
  const opened = createSharedStream({
    tab: newTabName(),
    openChannel: canShare ? broadcastChannel : () => NO_CHANNEL,
    locks: canShare ? webLocks(manager) : ownLead,
    alone: !canShare,
    isVisible: () => document.visibilityState === "visible",
  });
  stream = opened;
  document.addEventListener("visibilitychange", opened.refresh);
  window.addEventListener("online", opened.refresh);
  window.addEventListener("pagehide", () => {
    opened.close();
    stream = undefined;
  });
  // A page that the browser kept whole comes back without its connections.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) window.location.reload();
  });
  return opened;
};

const broadcastChannel = (hear: (message: TabMessage | HubMessage) => void): Channel => {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<TabMessage | HubMessage>) => hear(data);
  return {
    post: (message) => channel.postMessage(message),
    close: () => channel.close(),
  };
};

const NO_CHANNEL: Channel = { post: () => undefined, close: () => undefined };
