/**
 * Estimates how long a block of Markdown takes to parse, in microseconds of a machine of 2026, in one pass over its lines.
 * The parser takes a time that grows with the square of what is counted here, so a text of some kilobytes can block a
 * page or the server for minutes. The factors are measured; they are those of the worst texts.
 *
 * @returns Infinity for one that is nested so deeply that the parser or what reads its tree runs out of stack.
 */
export const estimateCost = (block: string): number => {
  const lines = block.split("\n");
  if (isCode(lines)) return block.length + lines.length * LINE_COST;
  const canBeTable = !block.includes("<");
  let cost = block.length + count(block, MARK) * MARK_COST + estimateFormulas(block);
  cost += count(block, ADDRESS) * ADDRESS_COST;
  let underlines = 0;
  let run = createRun();
  for (const line of lines) {
    const { markers, depth } = readMarkers(line);
    if (depth > MAX_DEPTH) return Infinity;
    if (beginsRun(line)) {
      cost += estimateRun(run);
      run = createRun();
    }
    if (UNDERLINE.test(line)) underlines += 1;
    cost += LINE_COST * (1 + markers) + DEPTH_COST * depth;
    addLine(run, { line, isInContainer: markers > 0, canBeTable });
  }
  return cost + estimateRun(run) + underlines ** 2 / 7;
};

const FENCE = /^(?:(`{3,})[^`]*|(~{3,})(?!~).*)$/;

/** Whether all lines are those of code between two fences, in which nothing is parsed. */
const isCode = ([first = "", ...lines]: readonly string[]): boolean => {
  const [, ticks, tildes] = FENCE.exec(first) ?? [];
  const fence = ticks ?? tildes;
  if (fence === undefined) return false;
  // What begins like the end of the code may be it.
  const end = lines.findIndex((line) => line.trimStart().startsWith(fence));
  return end === -1 || lines.slice(end + 1).every((line) => line.trim() === "");
};

/** Of what may begin or end an element of a sentence. */
const MARK_COST = 12;
/** Of an address, which becomes a link by itself: the page draws it, and compares its text with where it leads. */
const ADDRESS_COST = 100;
/** Of a line, and of each mark of a list or a quotation before it. */
const LINE_COST = 30;
/** Of each list or quotation that a line may be in, through which the parser passes it. */
const DEPTH_COST = 4;
/** Of a formula, which another library reads, and of each of its characters. */
const FORMULA_COST = 100;
const FORMULA_CHARACTER_COST = 25;
/** Of a cell; the browser compares the columns of a table with each other. */
const CELL_COST = 10;
/** Lists and quotations inside of each other. */
const MAX_DEPTH = 50;
/** Columns by which a list in another one is indented, at least. */
const MIN_INDENT = 2;

/** The lines of one paragraph, or of several that only the parser can tell apart. */
type Run = {
  lines: number;
  characters: number;
  /** Marks of emphasis. */
  emphasis: number;
  brackets: number;
  /** Beginnings of code and HTML, for each of which the parser may read the rest of the paragraph. */
  openings: number;
  /** Most borders of cells in one line: every row of a table gets as many cells. */
  borders: number;
  firstLine: string;
  isInContainer: boolean;
  isTable: boolean;
};

const createRun = (): Run => ({
  lines: 0,
  characters: 0,
  emphasis: 0,
  brackets: 0,
  openings: 0,
  borders: 0,
  firstLine: "",
  isInContainer: false,
  isTable: false,
});

type Line = { line: string; isInContainer: boolean; canBeTable: boolean };

const addLine = (run: Run, { line, isInContainer, canBeTable }: Line): void => {
  run.lines += 1;
  run.isInContainer ||= isInContainer;
  run.borders = Math.max(run.borders, count(line, BORDER));
  if (run.lines === 1) run.firstLine = line;
  if (run.lines === 2) run.isTable = canBeTable && isTableHead(run.firstLine, line);
  run.isTable &&= line.startsWith("|");
  // A cell is read by itself, so what rows have does not add up.
  const marks = run.isTable ? Math.max : (sum: number, more: number) => sum + more;
  run.characters = marks(run.characters, line.length);
  run.emphasis = marks(run.emphasis, count(line, EMPHASIS));
  run.brackets = marks(run.brackets, count(line, BRACKET));
  run.openings = marks(run.openings, count(line, OPENING));
};

const estimateRun = (run: Run): number =>
  run.emphasis ** 2 / 30 +
  run.brackets ** 2 / 100 +
  (run.openings * run.characters) / 20 +
  run.lines * run.borders * CELL_COST +
  run.borders ** 2 / 400 +
  (run.isInContainer ? run.lines ** 2 / 20 : 0);

const ADDRESS = /www\.|https?:|@/gi;
const MARK = /[[\]*_~<`$&\\@]|www|http/g;
const BORDER = /\|/g;
/** Underscores in a word are part of it. */
const EMPHASIS = /[*~]|_(?![\p{L}\d])|(?<![\p{L}\d])_/gu;
const BRACKET = /[[\]]/g;
const OPENING = /<|`+|\$+/g;
const UNDERLINE = /^[ >]*(?:=+|-+)[ \t\r]*$/;

const count = (line: string, mark: RegExp): number => line.match(mark)?.length ?? 0;

/** Whether a line certainly belongs to no paragraph of the line before. */
const beginsRun = (line: string): boolean => /^[ \t]*$|^ {0,3}(?:[-+*] +[^ \t]|#{1,6} )/.test(line);

/** The first row of a table and the line below it, which are certainly no paragraph. */
const isTableHead = (head: string, rule: string): boolean =>
  /^\|[^\\`]*$/.test(head) &&
  /^\|[-:| ]+$/.test(rule) &&
  rule.includes("-") &&
  count(head.trimEnd(), BORDER) === count(rule.trimEnd(), BORDER) &&
  head.trimEnd().endsWith("|") === rule.trimEnd().endsWith("|");

const MARKER = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/y;

/** @returns the marks of lists and quotations before a line, and how deeply it may be nested. */
const readMarkers = (line: string): { markers: number; depth: number } => {
  let markers = 0;
  let end = 0;
  MARKER.lastIndex = 0;
  while (MARKER.test(line)) {
    markers += 1;
    end = MARKER.lastIndex;
  }
  if (markers === 0) return { markers, depth: 0 };
  const marks = line.slice(0, end);
  const columns = marks.replaceAll("\t", "    ").length;
  return { markers, depth: Math.max(markers, Math.floor((columns - markers) / MIN_INDENT)) };
};

const estimateFormulas = (block: string): number =>
  block
    .split("$$")
    .filter((_, index) => index % 2 === 1)
    .reduce((sum, { length }) => sum + FORMULA_COST + length * FORMULA_CHARACTER_COST, 0);
