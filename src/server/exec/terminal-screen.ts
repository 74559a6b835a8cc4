import xterm, { type IBufferCell, type IBufferLine } from "@xterm/headless";

/** Fits the output of nearly all programs, and the width of a chat. */
export const TERMINAL_SIZE = { columns: 120, rows: 40 } as const;
export type TerminalSize = { columns: number; rows: number };

/** The operation of CSI t that sets the size in characters. */
const RESIZE = 8;
/** Lines above the screen that are kept: about 1 MB, as a cell has 12 bytes. */
const SCROLLBACK_LINES = 700;
/** Output that waits to be drawn, in bytes, above which the program is paused. */
const MAX_PENDING_BYTES = 256 * 1024;

/** Smaller and larger ones break programs, or take much memory. */
const SIZE_RANGE = { columns: [20, 500], rows: [5, 200] } as const;

/** @returns the size within the range that screens can have. */
export const clampSize = ({ columns, rows }: TerminalSize): TerminalSize => ({
  columns: clamp(columns, SIZE_RANGE.columns),
  rows: clamp(rows, SIZE_RANGE.rows),
});

const clamp = (value: number, [min, max]: readonly [number, number]): number =>
  Math.min(max, Math.max(min, Math.trunc(value)));

type ScreenDeps = {
  size: TerminalSize;
  /** Answers of the terminal to the program, such as where the cursor is. */
  onReply: (data: string) => void;
  /** Called with true when output comes faster than it is drawn, and with false when it is drawn. */
  onFull: (isFull: boolean) => void;
  /** Called when the program asks for another size, as `resize` and xterm's CSI 8 ; rows ; columns t do. */
  onResize: (size: TerminalSize) => void;
};

export type NewLines = { text: string; droppedLines: number };

/**
 * Draws a program's output on the screen of a terminal, without a display. Control sequences that move the cursor and
 * erase are of little use to a model as text, and what a key sends depends on a mode that the program sets by them.
 */
export const createTerminalScreen = ({ size, onReply, onFull, onResize }: ScreenDeps) => {
  const terminal = new xterm.Terminal({
    cols: size.columns,
    rows: size.rows,
    scrollback: SCROLLBACK_LINES,
    allowProposedApi: true,
    // Handlers of the sequence that asks for a size are called only with this.
    windowOptions: { setWinSizeChars: true },
  });
  let pending = 0;
  let scrolled = 0;
  terminal.onData(onReply);
  terminal.onScroll(() => {
    if (terminal.buffer.active.type === "normal") scrolled += 1;
  });

  terminal.parser.registerCsiHandler({ final: "t" }, ([operation, rows, columns]) => {
    if (operation !== RESIZE || typeof rows !== "number" || typeof columns !== "number")
      return false;
    const resized = clampSize({ rows, columns });
    terminal.resize(resized.columns, resized.rows);
    onResize(resized);
    return true;
  });

  const readLines = (above: number): string => {
    const { active } = terminal.buffer;
    const lines: string[] = [];
    for (let row = Math.max(0, active.baseY - above); row < active.length; row += 1) {
      const line = active.getLine(row);
      lines.push(line ? renderLine(line) : "");
    }
    while (lines.at(-1) === "") lines.pop();
    return lines.join("\n");
  };

  return {
    write: (bytes: Buffer): void => {
      pending += bytes.length;
      if (pending > MAX_PENDING_BYTES) onFull(true);
      terminal.write(bytes, () => {
        const wasFull = pending > MAX_PENDING_BYTES;
        pending -= bytes.length;
        if (wasFull && pending <= MAX_PENDING_BYTES) onFull(false);
      });
    },
    /** Resolves when all output so far is drawn. */
    drawn: (): Promise<void> => new Promise((resolve) => terminal.write("", resolve)),
    applicationCursorKeys: (): boolean => terminal.modes.applicationCursorKeysMode,
    /** The screen as it is, with its colors. */
    readScreen: (): string => readLines(0),
    /** The screen, and the lines that have left it at the top since the last call. */
    readNew: (): NewLines => {
      const droppedLines = Math.max(0, scrolled - SCROLLBACK_LINES);
      const text = readLines(scrolled);
      scrolled = 0;
      return { text, droppedLines };
    },
    dispose: (): void => terminal.dispose(),
  };
};
export type TerminalScreen = ReturnType<typeof createTerminalScreen>;

const RESET = "\u001b[0m";

/** Renders a line as text, with an SGR sequence where the look changes; spaces at the end are left out. */
const renderLine = (line: IBufferLine): string => {
  let text = "";
  let look = "";
  for (let column = 0; column < line.length; column += 1) {
    const cell = line.getCell(column);
    // The second half of a wide character.
    if (!cell || cell.getWidth() === 0) continue;
    const next = renderLook(cell);
    if (next !== look) {
      text += look === "" ? "" : RESET;
      text += next === "" ? "" : `\u001b[${next}m`;
      look = next;
    }
    text += cell.getChars() || " ";
  }
  return look === "" ? text.trimEnd() : `${text}${RESET}`;
};

const renderLook = (cell: IBufferCell): string =>
  [
    ...(cell.isBold() ? [1] : []),
    ...(cell.isDim() ? [2] : []),
    ...(cell.isItalic() ? [3] : []),
    ...(cell.isUnderline() ? [4] : []),
    ...(cell.isInverse() ? [7] : []),
    ...renderColor(FOREGROUND, cell.getFgColor(), cell),
    ...renderColor(BACKGROUND, cell.getBgColor(), cell),
  ].join(";");

type Ground = {
  code: number;
  isRgb: (cell: IBufferCell) => boolean;
  isPalette: (cell: IBufferCell) => boolean;
};
const FOREGROUND: Ground = {
  code: 38,
  isRgb: (cell) => cell.isFgRGB(),
  isPalette: (cell) => cell.isFgPalette(),
};
const BACKGROUND: Ground = {
  code: 48,
  isRgb: (cell) => cell.isBgRGB(),
  isPalette: (cell) => cell.isBgPalette(),
};

/** @returns the SGR codes of a color; none for the default one. */
const renderColor = (ground: Ground, color: number, cell: IBufferCell): number[] => {
  if (ground.isRgb(cell)) {
    return [ground.code, 2, (color >> 16) & 0xff, (color >> 8) & 0xff, color & 0xff];
  }
  if (!ground.isPalette(cell)) return [];
  // The first eight colors have codes of their own, which every reader of SGR knows.
  return color < 8 ? [ground.code - 8 + color] : [ground.code, 5, color];
};
