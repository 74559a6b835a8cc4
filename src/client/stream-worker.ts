import { createStreamHub } from "./stream-hub";
import type { HubMessage, TabMessage } from "./stream-messages";

// A shared worker: one for all tabs of the browser, which ends with the last of them.

const hub = createStreamHub();

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (!port) return;
  const tab = hub.openTab((message: HubMessage) => port.postMessage(message));
  port.addEventListener("message", ({ data }: MessageEvent<TabMessage>) => tab.receive(data));
  // Of a tab that has crashed. Not all browsers know it; the tab then ends as a hidden one does.
  port.addEventListener("close", () => tab.receive({ type: "close" }));
  port.start();
});
