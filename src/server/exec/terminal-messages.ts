/** Fits the output of nearly all programs, and the width of a chat. */
export const TERMINAL_SIZE = { columns: 120, rows: 40 } as const;
export type TerminalSize = { columns: number; rows: number };

/** Smaller and larger ones break programs, or take much memory. */
const SIZE_RANGE = { columns: [20, 500], rows: [5, 200] } as const;

/** @returns the size within the range that screens can have. */
export const clampSize = ({ columns, rows }: TerminalSize): TerminalSize => ({
  columns: clamp(columns, SIZE_RANGE.columns),
  rows: clamp(rows, SIZE_RANGE.rows),
});

const clamp = (value: number, [min, max]: readonly [number, number]): number =>
  Math.min(max, Math.max(min, Math.trunc(value)));

/** Lines of a screen as text, with their colors if there is room for them. */
export type ScreenText = {
  text: string;
  /** Lines before them that are no longer kept. */
  droppedLines: number;
};

/** What the thread of a terminal is asked for. It replies to each request once, in their order. */
export type TerminalRequest =
  | { type: "open"; size: TerminalSize }
  | { type: "draw"; bytes: Uint8Array }
  /** `new` has the lines that have left the screen at the top since it was last asked for, too. */
  | { type: "read"; what: "screen" | "new"; maxLength: number };

export type TerminalReply = {
  /** Answers of the terminal to the program, such as where the cursor is. */
  answers: string;
  /** The size that the program has asked for since the last reply. */
  resized?: TerminalSize | undefined;
  applicationCursorKeys: boolean;
  /** For `read`. */
  read?: ScreenText | undefined;
};
