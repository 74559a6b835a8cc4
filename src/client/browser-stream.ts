import { openPageHub, openWorkerHub } from "./open-hub";
import { createSharedStream, type SharedStream } from "./shared-stream";

let stream: SharedStream | undefined;

/** Returns this tab's shared stream; the first call opens it. For the browser only. */
export const getBrowserStream = (): SharedStream => {
  if (stream) return stream;
  const opened = createSharedStream({
    openSharedHub: openWorkerHub,
    openOwnHub: openPageHub,
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
