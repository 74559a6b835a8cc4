import type { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { startThread } from "@/server/start-thread";

/** The text of a document; the title is empty if it has none. */
export type ReadDocument = { title: string; text: string };

/** A document, or why it could not be read, as the end of a sentence. */
export type ReadResult = ReadDocument | { failure: string };

export type HtmlInput = {
  bytes: Uint8Array;
  /** Links are relative to it, unless the page says otherwise. */
  url: string;
  /** As the transport declares it: after a byte order mark, before a declaration of the page. */
  charset: string | undefined;
};

export type ThreadReply =
  { type: "ready" } | { type: "read"; document: ReadDocument } | { type: "failed"; reason: string };

/** A thread takes a core and up to a gigabyte, and a server has chats to serve. */
const MAX_THREADS = 2;
/** A thread loads its program before it reads, which takes long on a busy machine. */
const START_TIMEOUT_MS = 20_000;
/** Time to read one document: a page of a book's length takes about five seconds. */
const BUDGET_MS = 10_000;
/** The tree of a page has some 200 bytes for each of its own. */
const MAX_HEAP_MB = 512;
/** What a document unpacks to lies outside of the heap, which the limit of the thread does not count. */
const MAX_EXTERNAL_BYTES = 256 * 1024 * 1024;
const MEMORY_CHECK_MS = 100;

const withThread = pLimit(MAX_THREADS);

/** Reads what a page has for readers, as markdown. @throws as `readInThread`. */
export const readHtml = (page: HtmlInput, signal: AbortSignal): Promise<ReadResult> =>
  readInThread("html-thread", page, signal);

/** Reads the text of a PDF, with a mark before each of several pages; it is empty for scanned pages. @throws as `readInThread`. */
export const readPdf = (bytes: Uint8Array, signal: AbortSignal): Promise<ReadResult> =>
  readInThread("pdf-thread", bytes, signal);

/**
 * Reads a document in a thread that is ended when it exceeds its time or memory: documents come from
 * strangers, and a thread cannot be stopped otherwise.
 *
 * @throws when the signal is aborted, or the thread does not start.
 */
const readInThread = (program: string, input: unknown, signal: AbortSignal): Promise<ReadResult> =>
  withThread(async () => {
    signal.throwIfAborted();
    const thread = startThread(program, MAX_HEAP_MB);
    try {
      return await runOnThread(thread, input, signal);
    } finally {
      await thread.terminate();
    }
  });

const runOnThread = async (
  thread: Worker,
  input: unknown,
  signal: AbortSignal,
): Promise<ReadResult> => {
  const { promise, resolve, reject } = Promise.withResolvers<ReadResult>();
  const fail = (failure: string) => resolve({ failure });
  let hasStarted = false;
  const onEnd = (cause: unknown) =>
    hasStarted
      ? fail("it needs more memory than a document may use")
      : reject(new Error("a thread that reads documents could not start", { cause }));
  let timer = setTimeout(() => onEnd("timeout"), START_TIMEOUT_MS);
  let memoryTimer: NodeJS.Timeout | undefined;
  thread.on("message", (reply: ThreadReply) => {
    if (reply.type === "read") return resolve(reply.document);
    if (reply.type === "failed") return fail(reply.reason);
    hasStarted = true;
    clearTimeout(timer);
    timer = setTimeout(() => fail(`it takes more than ${BUDGET_MS / 1_000} seconds`), BUDGET_MS);
    memoryTimer = setInterval(() => {
      thread.getHeapStatistics().then(
        ({ external_memory: bytes }) => {
          if (bytes > MAX_EXTERNAL_BYTES) onEnd("memory");
        },
        // The thread has ended, and the document that it sent may still be on its way; its exit comes after that.
        () => undefined,
      );
    }, MEMORY_CHECK_MS);
    thread.postMessage(input);
  });
  const onAbort = () => reject(signal.reason as Error);
  signal.addEventListener("abort", onAbort, { once: true });
  thread.on("error", onEnd).on("exit", onEnd);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(memoryTimer);
    signal.removeEventListener("abort", onAbort);
    thread.off("error", onEnd).off("exit", onEnd);
  }
};
