import type { ToolContext } from "@/server/tools/tool-context";
import type { Command } from "./command";
import { createOutputRing, wholeLength } from "./output-ring";

/** Output within this time is shown together. */
const FLUSH_MS = 50;
/** A screen is shown as a whole, and people do not read faster. */
const SCREEN_FLUSH_MS = 100;
/** Live output that a watcher has at most, in UTF-16 units; above it, it starts over with the newest. */
const MAX_SHOWN_LENGTH = 32 * 1024;
/** What it starts over with: several screens. Only this is decoded of an output that comes faster than it is shown. */
const TAIL_BYTES = 8 * 1024;

const STARTED_OVER = "[… earlier output is not shown live …]\n";

type LiveDeps = {
  command: Pick<Command, "screen" | "subscribe">;
  emit: ToolContext["emit"];
};

/** Shows a command's output while it runs: the first piece at once. @returns a function that stops it. */
export const showLive = (deps: LiveDeps): (() => void) => {
  const show = deps.command.screen ? createScreenView(deps) : createTextView(deps);
  let timer: NodeJS.Timeout | undefined;
  let isDue = false;
  const flush = (): void => {
    isDue = false;
    show.flush();
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue) flush();
    }, show.intervalMs);
  };
  const unsubscribe = deps.command.subscribe((bytes) => {
    if (!bytes) return;
    show.add(bytes);
    isDue = true;
    if (!timer) flush();
  });
  return () => {
    unsubscribe();
    clearTimeout(timer);
  };
};

type View = { intervalMs: number; add: (bytes: Buffer) => void; flush: () => void };

const createTextView = ({ emit }: LiveDeps): View => {
  const tail = createOutputRing(TAIL_BYTES);
  let shownLength = 0;
  return {
    intervalMs: FLUSH_MS,
    add: tail.write,
    flush: () => {
      const { bytes, dropped } = tail.readNew({ isComplete: false });
      const text = bytes.toString();
      if (dropped > 0 || shownLength + text.length > MAX_SHOWN_LENGTH) {
        const newest = toWholeCharacters(tail.readKept()).toString();
        emit({ type: "reset" });
        emit({ type: "append", text: STARTED_OVER + newest });
        shownLength = newest.length;
      } else if (text !== "") {
        emit({ type: "append", text });
        shownLength += text.length;
      }
    },
  };
};

/** @returns the bytes without those of characters that begin before or end after them. */
const toWholeCharacters = (bytes: Buffer): Buffer => {
  const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return bytes.subarray(Math.max(start, 0), wholeLength(bytes));
};

const createScreenView = ({ command: { screen }, emit }: LiveDeps): View => {
  let shown = "";
  let [isReading, isDue] = [false, false];
  const read = async (): Promise<void> => {
    const { text = shown } = (await screen?.readScreen(MAX_SHOWN_LENGTH)) ?? {};
    if (text === shown) return;
    shown = text;
    emit({ type: "reset" });
    emit({ type: "append", text });
  };
  /** A screen that is slow to draw is asked for once, and again for what came meanwhile. */
  const readDue = async (): Promise<void> => {
    isReading = true;
    while (isDue) {
      isDue = false;
      await read();
    }
    isReading = false;
  };
  return {
    intervalMs: SCREEN_FLUSH_MS,
    add: () => undefined,
    flush: () => {
      isDue = true;
      if (!isReading) readDue().catch(() => undefined);
    },
  };
};
