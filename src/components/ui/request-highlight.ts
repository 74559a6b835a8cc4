import type { CodeLines, CodeOptions, HighlightRequest, HighlightResponse } from "./code-lines";

/** Blocks whose colors are kept for when they return to the page. */
const MAX_CACHED_BLOCKS = 200;
/** The block that was used longest ago is first. */
const linesByCode = new Map<string, CodeLines>();

const toKey = ({ code, language }: CodeOptions): string => `${language}\n${code}`;

export const findHighlightedLines = (options: CodeOptions): CodeLines | undefined => {
  const lines = linesByCode.get(toKey(options));
  if (lines) keepLines(toKey(options), lines);
  return lines;
};

const keepLines = (key: string, lines: CodeLines): void => {
  linesByCode.delete(key);
  linesByCode.set(key, lines);
  const [oldest] = linesByCode.keys();
  if (linesByCode.size > MAX_CACHED_BLOCKS && oldest !== undefined) linesByCode.delete(oldest);
};

type Job = { options: CodeOptions; settle: (response: HighlightResponse) => void };

/** The newest is last and runs first, as a chat shows its end. */
const jobs: Job[] = [];
let running: Job | undefined;
let worker: Worker | undefined;

const openWorker = (): Worker => {
  const opened = new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" });
  opened.addEventListener("message", ({ data }: MessageEvent<HighlightResponse>) => settle(data));
  opened.addEventListener("error", ({ message }) => {
    // It did not load; the next block tries again.
    worker = undefined;
    settle({ lines: undefined, error: message });
  });
  return opened;
};

const settle = (response: HighlightResponse): void => {
  running?.settle(response);
  running = undefined;
  runNext();
};

const runNext = (): void => {
  if (running) return;
  running = jobs.pop();
  if (!running) return;
  worker ??= openWorker();
  worker.postMessage(running.options satisfies HighlightRequest);
};

/**
 * Colors a block in the highlighter's thread.
 *
 * @returns undefined for an unknown language.
 * @throws {Error} when the highlighter fails or cannot be loaded.
 */
export const requestHighlight = async (options: CodeOptions): Promise<CodeLines | undefined> => {
  const { lines, error } = await new Promise<HighlightResponse>((resolve) => {
    jobs.push({ options, settle: resolve });
    runNext();
  });
  if (error !== undefined) throw new Error(`the code was not highlighted: ${error}`);
  if (lines) keepLines(toKey(options), lines);
  return lines;
};
