import { parentPort } from "node:worker_threads";
import type { TerminalReply, TerminalRequest } from "./terminal-messages";
import { createTerminalScreen, type TerminalScreen } from "./terminal-screen";

let screen: TerminalScreen | undefined;

const post = (reply: TerminalReply): void => parentPort?.postMessage(reply);

/** The program of a worker thread, bundled by itself; `terminal.ts` starts and stops it. */
const handle = (request: TerminalRequest): void => {
  if (request.type === "open") {
    screen = createTerminalScreen(request.size);
    post(screen.takeChanges());
    return;
  }
  const opened = screen;
  if (!opened) throw new Error("the terminal is not open");
  if (request.type === "draw") {
    opened.draw(request.bytes, () => post(opened.takeChanges()));
    return;
  }
  const { what, maxLength } = request;
  opened.draw("", () => {
    const read = what === "new" ? opened.readNew(maxLength) : opened.readScreen(maxLength);
    post({ ...opened.takeChanges(), read });
  });
};
parentPort?.on("message", handle);
