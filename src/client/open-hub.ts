import { createStreamHub } from "./stream-hub";
import type { HubMessage, HubPort } from "./stream-messages";

/**
 * Connects to the hub in the worker that all tabs of the browser share, and starts it if it is the first.
 *
 * @returns undefined where there are no shared workers: Chrome for Android has none, and other browsers refuse
 * them to sites that may store nothing.
 */
export const openWorkerHub = (onMessage: (message: HubMessage) => void): HubPort | undefined => {
  const port = openWorker()?.port;
  if (!port) return undefined;
  port.onmessage = ({ data }: MessageEvent<HubMessage>) => onMessage(data);
  return { post: (message) => port.postMessage(message), close: () => port.close() };
};

const openWorker = (): SharedWorker | undefined => {
  if (!("SharedWorker" in window)) return undefined;
  try {
    return new SharedWorker(new URL("./stream-worker.ts", import.meta.url), { type: "module" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "SecurityError") return undefined;
    throw error;
  }
};

/** Opens a hub in this page. */
export const openPageHub = (onMessage: (message: HubMessage) => void): HubPort => {
  const tab = createStreamHub({ isIsolated: true }).openTab(onMessage);
  return { post: tab.receive, close: () => undefined };
};
