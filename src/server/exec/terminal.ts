import { waitAtMost } from "@/lib/wait-at-most";
import { startLimitedThread, type ThreadFailure, type ThreadLimits } from "./limited-thread";
import type { ScreenText, TerminalReply, TerminalRequest, TerminalSize } from "./terminal-messages";

/** Output that waits to be drawn, in bytes, above which the program is paused. */
const MAX_PENDING_BYTES = 256 * 1024;
const LIMITS: ThreadLimits = { cpuMs: 2_000, heapMb: 96, externalBytes: 96 * 1024 * 1024 };
/** Time to draw a byte: forty times of what ordinary output takes. */
const MS_PER_BYTE = 0.005;
/** Bytes of one request: threads take turns after each. */
const PIECE_BYTES = 8 * 1024;
/** How long the end of a command waits for its screen. */
const END_TIMEOUT_MS = 10_000;
/** Text of one read, in UTF-16 units: as much as the output of a command without a terminal. */
const MAX_NEW_LENGTH = 1024 * 1024;
/** Text of a screen, in UTF-16 units: the largest one, without colors. */
const MAX_SCREEN_LENGTH = 128 * 1024;

type TerminalDeps = {
  size: TerminalSize;
  /** Answers of the terminal to the program, such as where the cursor is. */
  onReply: (data: string) => void;
  /** Called with true when output comes faster than it is drawn, and with false when it is drawn. */
  onFull: (isFull: boolean) => void;
  /** Called when the program asks for another size, as `resize` and xterm's CSI 8 ; rows ; columns t do. */
  onResize: (size: TerminalSize) => void;
};

/**
 * The terminal of a command, which a thread draws: a few bytes of output may have a parser work for hours, and a thread
 * can be ended. Then the command goes on without a screen.
 */
export const createTerminal = ({ size, onReply, onFull, onResize }: TerminalDeps) => {
  const pending = createPending(onFull);
  let applicationCursorKeys = false;
  let failure: string | undefined;
  let kept: KeptScreen | undefined;
  const thread = startLimitedThread<TerminalRequest, TerminalReply>({
    program: "terminal-thread",
    limits: LIMITS,
    onFailure: (cause) => {
      failure = FAILURES[cause];
      onFull(false);
    },
  });
  type AskOptions = Parameters<typeof thread.ask>[1];
  const ask = async (request: TerminalRequest, options?: AskOptions) => {
    const reply = await thread.ask(request, options);
    if (!reply) return undefined;
    ({ applicationCursorKeys } = reply);
    if (reply.answers !== "") onReply(reply.answers);
    if (reply.resized) onResize(reply.resized);
    return reply.read;
  };
  const draw = async (bytes: Uint8Array<ArrayBuffer>): Promise<void> => {
    const { length, buffer } = bytes;
    pending.add(length);
    await ask({ type: "draw", bytes }, { allowedMs: length * MS_PER_BYTE, transfer: [buffer] });
    pending.remove(length);
  };
  const readScreen = (maxLength = MAX_SCREEN_LENGTH): Promise<ScreenText | undefined> =>
    kept ? Promise.resolve(kept.screen) : ask({ type: "read", what: "screen", maxLength });
  const readNew = (): Promise<ScreenText | undefined> =>
    kept
      ? Promise.resolve(kept.takeNew())
      : ask({ type: "read", what: "new", maxLength: MAX_NEW_LENGTH });
  ask({ type: "open", size }).catch(() => undefined);

  return {
    write: (bytes: Buffer): void => {
      for (let start = 0; start < bytes.length && failure === undefined; start += PIECE_BYTES) {
        draw(Uint8Array.from(bytes.subarray(start, start + PIECE_BYTES))).catch(() => undefined);
      }
    },
    /** Why there is no screen, as a sentence. */
    failure: (): string | undefined => failure,
    applicationCursorKeys: (): boolean => applicationCursorKeys,
    /** Resolves when all output so far is drawn, or there is no screen. */
    drawn: async (): Promise<void> => void (await ask({ type: "draw", bytes: new Uint8Array() })),
    /**
     * The screen as it is, with its colors if it is no longer than `maxLength` UTF-16 units. Undefined without a screen,
     * as for `readNew`; neither rejects.
     */
    readScreen,
    /** The screen, and the lines that have left it at the top since the last call. */
    readNew,
    /** Draws what is left and ends the thread; what can be read of the screen is kept. Does not reject. */
    end: async (): Promise<void> => {
      const texts = Promise.all([readNew(), readScreen()]);
      const [added, screen] = (await waitAtMost(texts, END_TIMEOUT_MS)) ?? [];
      if (added && screen) kept = keepScreen(added, screen);
      else failure ??= FAILURES.time;
      thread.end();
    },
    /** Memory of the text that is kept after the end. */
    heldBytes: (): number => (kept?.heldLength() ?? 0) * MAX_UNIT_BYTES,
    /** Frees the text that is kept. */
    drop: (): void => void (kept &&= keepScreen(dropLines(kept.takeNew()), NO_TEXT)),
  };
};
export type Terminal = ReturnType<typeof createTerminal>;

/** Counts the output that waits to be drawn, in bytes. */
const createPending = (onFull: TerminalDeps["onFull"]) => {
  let pending = 0;
  return {
    add: (bytes: number): void => {
      pending += bytes;
      if (pending > MAX_PENDING_BYTES) onFull(true);
    },
    remove: (bytes: number): void => {
      const wasFull = pending > MAX_PENDING_BYTES;
      pending -= bytes;
      if (wasFull && pending <= MAX_PENDING_BYTES) onFull(false);
    },
  };
};

const FAILURES: Record<ThreadFailure, string> = {
  start: "The screen of its terminal could not be drawn: the server could not start a thread.",
  time: "The screen of its terminal could not be drawn in time.",
  memory: "The screen of its terminal needs more memory than one may use.",
};

/** Of a UTF-16 unit, where a text has other letters than those of Latin. */
const MAX_UNIT_BYTES = 2;
const NO_TEXT: ScreenText = { text: "", droppedLines: 0 };

const dropLines = ({ text, droppedLines }: ScreenText): ScreenText => ({
  text: "",
  droppedLines: droppedLines + (text === "" ? 0 : text.split("\n").length),
});

type KeptScreen = {
  screen: ScreenText;
  takeNew: () => ScreenText;
  /** In UTF-16 units. */
  heldLength: () => number;
};

/** Keeps what was not read yet for one read, and the screen. */
const keepScreen = (added: ScreenText, screen: ScreenText): KeptScreen => {
  let unread = added.text === screen.text && added.droppedLines === 0 ? screen : added;
  return {
    screen,
    heldLength: () => screen.text.length + (unread === screen ? 0 : unread.text.length),
    takeNew: () => {
      const taken = unread;
      unread = screen;
      return taken;
    },
  };
};
