import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { startThread } from "@/server/start-thread";
import { withDecoder } from "./with-decoder";

/** The text of a document; the title is empty if it has none. */
export type ReadDocument = { title: string; text: string };

/** A document, or why it could not be read, as the end of a sentence. */
export type ReadResult =
  | ReadDocument
  | {
      failure: string;
      /** It may succeed later. */
      isBusy?: true;
    };

export type HtmlInput = {
  bytes: Uint8Array;
  /** Links are relative to it, unless the page says otherwise. */
  url: string;
  /** As the transport declares it: after a byte order mark, before a declaration of the page. */
  charset: string | undefined;
};

export type ThreadReply =
  { type: "ready" } | { type: "read"; document: ReadDocument } | { type: "failed"; reason: string };

/** More that wait are refused, as each holds its document. */
const MAX_WAITING = 16;
/** One that has waited for longer is refused: who asked for it has given up, or will. */
const MAX_WAIT_MS = 30_000;
const BUSY: ReadResult = {
  failure: "this server is reading other documents, try again later",
  isBusy: true,
};

/** A thread loads its program before it reads, which takes long on a busy machine. */
const START_TIMEOUT_MS = 20_000;
/** Time to read one document: a page of a book's length takes about five seconds. */
const BUDGET_MS = 10_000;
type Limits = {
  /** Of objects that have lived for a while. */
  heapMb: number;
  /** Of the heap, and of what a document unpacks to outside of it, which the limits of a thread do not count. */
  memoryBytes: number;
};
/** The tree of a page has 100 to 200 bytes for each of its own. The program that reads it has 45 MB. */
const HTML_LIMITS: Limits = { heapMb: 140, memoryBytes: 150_000_000 };
/** The text of 500 pages takes 50 MB. */
const PDF_LIMITS: Limits = { heapMb: 100, memoryBytes: 120_000_000 };
const MAX_YOUNG_MB = 8;
/** A packed text unpacks to some megabytes in this time. */
const MEMORY_CHECK_MS = 20;

type Job = { program: string; input: unknown; limits: Limits };

/** Reads what a page has for readers, as markdown. @throws as `readInThread`. */
export const readHtml = (page: HtmlInput, signal: AbortSignal): Promise<ReadResult> =>
  readInThread({ program: "html-thread", input: page, limits: HTML_LIMITS }, signal);

/** Reads the text of a PDF, with a mark before each of several pages; it is empty for scanned pages. @throws as `readInThread`. */
export const readPdf = (bytes: Uint8Array, signal: AbortSignal): Promise<ReadResult> =>
  readInThread({ program: "pdf-thread", input: bytes, limits: PDF_LIMITS }, signal);

/**
 * Reads a document in a thread that is ended when it exceeds its time or memory: documents come from
 * strangers, and a thread cannot be stopped otherwise.
 *
 * @throws when the signal is aborted, or the thread does not start.
 */
const readInThread = async (job: Job, signal: AbortSignal): Promise<ReadResult> => {
  if (withDecoder.pendingCount >= MAX_WAITING) return BUSY;
  const giveUpAt = performance.now() + MAX_WAIT_MS;
  return withDecoder(async () => {
    signal.throwIfAborted();
    if (performance.now() > giveUpAt) return BUSY;
    const thread = startThread(job.program, job.limits.heapMb, MAX_YOUNG_MB);
    try {
      return await runOnThread(thread, job, signal);
    } finally {
      await thread.terminate();
    }
  });
};

const runOnThread = async (
  thread: Worker,
  { input, limits }: Job,
  signal: AbortSignal,
): Promise<ReadResult> => {
  const { promise, resolve, reject } = Promise.withResolvers<ReadResult>();
  const done = new AbortController();
  const fail = (failure: string) => resolve({ failure });
  let hasStarted = false;
  const onEnd = (cause: unknown) =>
    hasStarted
      ? fail("it needs more memory than a document may use")
      : reject(new Error("a thread that reads documents could not start", { cause }));
  let timer = setTimeout(() => onEnd("timeout"), START_TIMEOUT_MS);
  thread.on("message", (reply: ThreadReply) => {
    if (reply.type === "read") return resolve(reply.document);
    if (reply.type === "failed") return fail(reply.reason);
    hasStarted = true;
    clearTimeout(timer);
    timer = setTimeout(() => fail(`it takes more than ${BUDGET_MS / 1_000} seconds`), BUDGET_MS);
    watchMemory(thread, limits, done.signal).then(
      (isExceeded) => isExceeded && onEnd("memory"),
      // The thread has ended, and the document that it sent may still be on its way; its exit comes after that.
      () => undefined,
    );
    thread.postMessage(input);
  });
  const onAbort = () => reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  thread.on("error", onEnd).on("exit", onEnd);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    done.abort();
    signal.removeEventListener("abort", onAbort);
    thread.off("error", onEnd).off("exit", onEnd);
  }
};

/** @returns true once a thread takes too much memory, false when it need not be watched any more. Rejects when it has ended. */
const watchMemory = async (
  thread: Worker,
  { memoryBytes }: Limits,
  done: AbortSignal,
): Promise<boolean> => {
  while (!done.aborted) {
    const { used_heap_size: heap, external_memory: external } = await thread.getHeapStatistics();
    if (heap + external > memoryBytes) return true;
    await sleep(MEMORY_CHECK_MS, undefined, { ref: false });
  }
  return false;
};
