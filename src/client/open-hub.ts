import { waitForServer } from "./reach-server";
import type { HubMessage, HubPort, TabMessage } from "./stream-messages";

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

/** Opens a hub in this page. Few browsers need it, so that it is loaded late. */
export const openPageHub = (onMessage: (message: HubMessage) => void): HubPort => {
  const early: TabMessage[] = [];
  let receive = (message: TabMessage): void => void early.push(message);
  const load = async (): Promise<void> => {
    // The page may be opened from the browser's memory while the server is away.
    await waitForServer(new AbortController().signal);
    const { createStreamHub } = await import("./stream-hub");
    ({ receive } = createStreamHub({ isIsolated: true }).openTab(onMessage));
    early.forEach(receive);
  };
  load().catch(reportError);
  return { post: (message) => receive(message), close: () => undefined };
};
