import xterm, { type IBufferCell, type IBufferLine } from "@xterm/headless";
import {
  clampSize,
  type ScreenText,
  type TerminalReply,
  type TerminalSize,
} from "./terminal-messages";

/** The operation of CSI t that sets the size in characters. */
const RESIZE = 8;
/** Lines above the screen that are kept: about 1 MB, as a cell has 12 bytes. */
const SCROLLBACK_LINES = 700;
/** Of one cell, in UTF-16 units: a letter may have any number of accents. */
const MAX_CELL_LENGTH = 32;

/**
 * Draws a program's output on the screen of a terminal, without a display. Control sequences that move the cursor and
 * erase are of little use to a model as text, and what a key sends depends on a mode that the program sets by them.
 */
export const createTerminalScreen = (size: TerminalSize) => {
  const terminal = new xterm.Terminal({
    cols: size.columns,
    rows: size.rows,
    scrollback: SCROLLBACK_LINES,
    allowProposedApi: true,
    // Handlers of the sequence that asks for a size are called only with this.
    windowOptions: { setWinSizeChars: true },
  });
  let scrolled = 0;
  let answers: string[] = [];
  let resized: TerminalSize | undefined;
  terminal.onData((data) => answers.push(data));
  terminal.onScroll(() => {
    if (terminal.buffer.active.type === "normal") scrolled += 1;
  });
  limitCounts(terminal);
  terminal.parser.registerCsiHandler({ final: "t" }, ([operation, rows, columns]) => {
    if (operation !== RESIZE || typeof rows !== "number" || typeof columns !== "number")
      return false;
    resized = clampSize({ rows, columns });
    terminal.resize(resized.columns, resized.rows);
    return true;
  });

  const readLines = (above: number, maxLength: number): ScreenText => {
    const { active } = terminal.buffer;
    const lines: IBufferLine[] = [];
    for (let row = Math.max(0, active.baseY - above); row < active.length; row += 1) {
      const line = active.getLine(row);
      if (line) lines.push(line);
    }
    return renderLines(lines, maxLength);
  };

  return {
    /** Calls back when the output before it is drawn, too. */
    draw: (bytes: Uint8Array | "", onDrawn: () => void): void => terminal.write(bytes, onDrawn),
    /** What has changed besides the screen since the last call. */
    takeChanges: (): TerminalReply => {
      const changes = {
        answers: answers.join(""),
        resized,
        applicationCursorKeys: terminal.modes.applicationCursorKeysMode,
      };
      [answers, resized] = [[], undefined];
      return changes;
    },
    /** The screen as it is. */
    readScreen: (maxLength: number): ScreenText => readLines(0, maxLength),
    /** The screen, and the lines that have left it at the top since the last call. */
    readNew: (maxLength: number): ScreenText => {
      const dropped = Math.max(0, scrolled - SCROLLBACK_LINES);
      const { text, droppedLines } = readLines(scrolled, maxLength);
      scrolled = 0;
      return { text, droppedLines: dropped + droppedLines };
    },
  };
};
export type TerminalScreen = ReturnType<typeof createTerminalScreen>;

/** The sequences of CSI whose parameters count what is repeated, by their last character. */
const COUNTING = [..."@ABCDEFGHILMPSTXZ^`abdef"];
/** The same with a space or an apostrophe before it. */
const COUNTING_AFTER: readonly [string, string][] = [
  [" ", "@"],
  [" ", "A"],
  ["'", "}"],
  ["'", "~"],
];

/** Of what xterm passes to the handlers of its own: the parameters themselves, not a copy. */
type Parameters = { params: Int32Array; length: number };
type CsiId = { intermediates?: string; final: string };
type Core = {
  registerCsiHandler: (id: CsiId, handler: (parameters: Parameters) => boolean) => void;
};

/**
 * Limits the parameters that count: xterm repeats a step as often as they say, up to 2^31 times, or allocates as much.
 * No more than the screen has is of any effect. Only its inner parser lets them be changed before they are used.
 */
const limitCounts = (terminal: xterm.Terminal): void => {
  const { _core: core } = terminal as unknown as { _core: Core };
  const limit = ({ params, length }: Parameters): boolean => {
    const max = Math.max(terminal.cols, terminal.rows);
    for (let at = 0; at < length; at += 1) params[at] = Math.min(params[at] ?? 0, max);
    return false;
  };
  const ids: CsiId[] = [
    ...COUNTING.map((final) => ({ final })),
    ...COUNTING_AFTER.map(([intermediates, final]) => ({ intermediates, final })),
  ];
  for (const id of ids) core.registerCsiHandler(id, limit);
};

/** Renders lines with their colors, or without if that is too long; what is too long even then loses its first lines. */
const renderLines = (lines: readonly IBufferLine[], maxLength: number): ScreenText => {
  const colored = joinLines(lines.map(renderLine));
  if (colored.length <= maxLength) return { text: colored, droppedLines: 0 };
  const plain = lines.map(renderPlainLine);
  let length = plain.reduce((sum, line) => sum + line.length + 1, 0);
  let droppedLines = 0;
  while (length > maxLength && droppedLines < plain.length) {
    length -= (plain[droppedLines]?.length ?? 0) + 1;
    droppedLines += 1;
  }
  return { text: joinLines(plain.slice(droppedLines)), droppedLines };
};

const joinLines = (lines: readonly string[]): string =>
  lines.slice(0, lines.findLastIndex((line) => line !== "") + 1).join("\n");

const RESET = "\u001b[0m";

/** Renders a line as text, with an SGR sequence where the look changes; spaces at the end are left out. */
const renderLine = (line: IBufferLine): string => {
  let text = "";
  let look = "";
  for (const cell of listCells(line)) {
    const next = renderLook(cell);
    if (next !== look) {
      text += look === "" ? "" : RESET;
      text += next === "" ? "" : `\u001b[${next}m`;
      look = next;
    }
    text += renderCell(cell);
  }
  return look === "" ? text.trimEnd() : `${text}${RESET}`;
};

const renderPlainLine = (line: IBufferLine): string =>
  listCells(line).map(renderCell).join("").trimEnd();

const listCells = (line: IBufferLine): IBufferCell[] => {
  const cells: IBufferCell[] = [];
  for (let column = 0; column < line.length; column += 1) {
    const cell = line.getCell(column);
    // The second half of a wide character has no width.
    if (cell && cell.getWidth() > 0) cells.push(cell);
  }
  return cells;
};

const renderCell = (cell: IBufferCell): string =>
  cell.getChars().slice(0, MAX_CELL_LENGTH).toWellFormed() || " ";

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
