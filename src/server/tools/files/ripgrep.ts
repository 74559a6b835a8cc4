import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as z from "zod";
import { ToolFailure } from "@/server/tools/tool-result";

/** Longest line of ripgrep's output that is parsed; a line of a file that is longer is not shown. */
const MAX_OUTPUT_LINE_BYTES = 256 * 1024;
/** Longest part of ripgrep's own error that is kept, in UTF-16 units. */
const MAX_ERROR_LENGTH = 2_000;

/** A text, or base64 of bytes that are not UTF-8. */
const Data = z.union([z.object({ text: z.string() }), z.object({ bytes: z.base64() })]);

const MatchEvent = z.object({
  type: z.literal("match"),
  data: z.object({
    path: Data,
    lines: Data,
    line_number: z.int(),
    absolute_offset: z.int(),
    submatches: z.array(z.object({ start: z.int(), end: z.int() })),
  }),
});

export type RipgrepMatch = {
  path: string;
  /** Counted from 1. */
  line: number;
  /** Where the line begins in the file, in bytes. */
  position: number;
  /** The line with its end; undefined for a line that is too long. */
  bytes: Buffer | undefined;
  /** Where the first match begins in the line, in bytes. */
  start: number;
};

export type RipgrepRun = { args: readonly string[]; cwd: string; signal: AbortSignal };

/** @returns the path of ripgrep, or undefined where there is none for this platform. */
export const findRipgrep = (): string | undefined => {
  try {
    // The package throws when it is imported on other platforms.
    const load = createRequire(join(process.cwd(), "package.json"));
    return (load("@vscode/ripgrep") as { rgPath: string }).rgPath;
  } catch {
    return undefined;
  }
};

/**
 * Runs ripgrep and yields its matches. It is killed when the iteration ends or the signal is aborted,
 * after which the matches end; when the signal is aborted before, it is not started.
 *
 * @throws {ToolFailure} with ripgrep's own words, for a pattern or glob that it refuses.
 */
export const runRipgrep = async function* (
  program: string,
  { args, cwd, signal }: RipgrepRun,
): AsyncGenerator<RipgrepMatch> {
  if (signal.aborted) return;
  const child = spawn(program, ["--json", ...args], {
    cwd,
    // Its own settings and the server's keys are none of its business.
    env: {} as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(child, "close") as Promise<[code: number | null]>;
  // Awaited below; a failure to start must not count as unhandled before.
  closed.catch(() => undefined);
  const kill = () => void child.kill("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  let error = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    error = (error + text).slice(0, MAX_ERROR_LENGTH);
  });
  try {
    for await (const line of readLines(child.stdout)) {
      const match = parseMatch(line);
      if (match) yield match;
    }
    const [code] = await closed;
    if (code === 2 && error !== "") throw new ToolFailure(`ripgrep: ${cleanError(error)}`);
  } finally {
    signal.removeEventListener("abort", kill);
    kill();
    await closed.catch(() => undefined);
  }
};

const cleanError = (error: string): string => error.replace(/^rg: /, "").trim();

type OutputLine = { bytes: Buffer; isCut: boolean };

/** Splits output at line feeds; of a line that is too long, yields the beginning. */
const readLines = async function* (output: AsyncIterable<Buffer>): AsyncGenerator<OutputLine> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const chunk of output) {
    let start = 0;
    for (let end = chunk.indexOf("\n"); end >= 0; end = chunk.indexOf("\n", start)) {
      pieces.push(chunk.subarray(start, end));
      yield toOutputLine(pieces);
      [pieces, length, start] = [[], 0, end + 1];
    }
    if (length <= MAX_OUTPUT_LINE_BYTES) pieces.push(chunk.subarray(start));
    length += chunk.length - start;
  }
};

const toOutputLine = (pieces: readonly Buffer[]): OutputLine => {
  const bytes = Buffer.concat(pieces);
  return { bytes, isCut: bytes.length > MAX_OUTPUT_LINE_BYTES };
};

/** The beginning of a match's JSON. */
const MATCH_PATH = /^\{"type":"match","data":\{"path":(\{"text":"(?:[^"\\]|\\.)*"\})/;

/** @returns undefined for what is no match, or in a file whose name is not text. */
const parseMatch = ({ bytes, isCut }: OutputLine): RipgrepMatch | undefined => {
  if (isCut) {
    const path = MATCH_PATH.exec(bytes.toString("utf8", 0, 16_384))?.[1];
    if (path === undefined) return undefined;
    const { text } = JSON.parse(path) as { text: string };
    return { path: text, line: 0, position: 0, bytes: undefined, start: 0 };
  }
  const event = MatchEvent.safeParse(JSON.parse(bytes.toString()));
  if (!event.success) return undefined;
  const { path, lines, line_number: line, absolute_offset: position, submatches } = event.data.data;
  if (!("text" in path)) return undefined;
  return {
    path: path.text,
    line,
    position,
    bytes: "text" in lines ? Buffer.from(lines.text) : Buffer.from(lines.bytes, "base64"),
    start: submatches[0]?.start ?? 0,
  };
};
