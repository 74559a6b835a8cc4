import { createParser } from "eventsource-parser";
import { type DeltaData, joinDeltas } from "./join-deltas";

/** Repairs the events of one answer, which its provider's client would refuse or misread. Data are texts. */
export type EventRepair = {
  /** @returns what is passed on in place of the data of an event. */
  read: (data: string) => readonly string[];
  /** Whether an event that differs from one that needed no repair in its text only needs none; by default it does. */
  isSettled?: () => boolean;
  /** @returns what is passed on when the answer has ended. */
  end: () => readonly string[];
};

export type EventReaderOptions = {
  /** Keys of the strings that are joined when all else of two events is the same. */
  textKeys: readonly string[];
  createRepair: () => EventRepair;
};

/** The end of an answer in the protocols of OpenAI, after which some servers keep the connection open. */
const DONE = "[DONE]";
/** Some put spaces around it. */
const MAX_DONE_LENGTH = 16;
/** Time for a connection to end after its answer, so that it can be used again. */
const CLOSE_TIMEOUT_MS = 200;

/**
 * Reads the event stream of an answer, see `createEventReader`, and ends with what says that it is the end.
 *
 * @param start what was read of it before.
 */
export const readEvents = (
  body: ReadableStream<Uint8Array>,
  options: EventReaderOptions,
  start?: Uint8Array,
): ReadableStream<Uint8Array> => {
  const source = body.getReader();
  const read = createEventReader(options);
  let first = start;
  return new ReadableStream({
    pull: async (controller) => {
      for (;;) {
        const { done, value } = first ? { done: false, value: first } : await source.read();
        first = undefined;
        const { text, isDone } = read(value);
        if (text !== "") controller.enqueue(Buffer.from(text, "latin1"));
        if (isDone) {
          controller.close();
          if (!done) closeSource(source).catch(() => undefined);
          return;
        }
        if (text !== "") return;
      }
    },
    cancel: (reason) => source.cancel(reason),
  });
};

/** Reads what follows on the end of an answer. */
const closeSource = async (source: ReadableStreamDefaultReader<Uint8Array>): Promise<void> => {
  // Ends a read that waits.
  const timer = setTimeout(() => {
    source.cancel().catch(() => undefined);
  }, CLOSE_TIMEOUT_MS);
  try {
    for (let isOver = false; !isOver;) isOver = (await source.read()).done;
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Reads an event stream as the standard of server-sent events says, however it is cut, joins deltas that have arrived
 * together, repairs events, and writes them as a provider's client reads them: one line of data each.
 *
 * Bytes are handled as characters, so that a character that the network has cut stays whole.
 *
 * @returns a function that reads bytes, or undefined at their end, and returns those for the client, and whether they are
 *   the last.
 */
const createEventReader = ({ textKeys, createRepair }: EventReaderOptions) => {
  const markers = textKeys.map((key) => `"${key}":"`);
  const repair = createRepair();
  const received: string[] = [];
  let isDone = false;
  /** What surrounds the text of a delta that needed no repair; another text needs none, too. */
  let known: DeltaData | undefined;
  const parser = createParser({
    onEvent: ({ data }) => {
      if (isDone) return;
      isDone = data.length <= MAX_DONE_LENGTH && data.trim() === DONE;
      received.push(isDone ? DONE : data);
    },
  });

  const read = (event: string | DeltaData): string => {
    const delta = typeof event === "string" ? undefined : event;
    const data =
      typeof event === "string" ? event : event.before + event.texts.join("") + event.after;
    if (delta && delta.before === known?.before && delta.after === known.after) return write(data);
    const text = Buffer.from(data, "latin1").toString();
    const repaired = repair.read(text);
    if (repaired.length !== 1 || repaired[0] !== text) return writeTexts(repaired);
    if (delta && repair.isSettled?.() !== false) known = delta;
    return write(data);
  };

  return (bytes: Uint8Array | undefined): { text: string; isDone: boolean } => {
    // What has no end is read at the end.
    parser.feed(
      bytes
        ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
        : "\n\n",
    );
    let text = "";
    for (const event of joinDeltas(received, markers)) text += read(event);
    received.length = 0;
    isDone ||= bytes === undefined;
    if (isDone) text += writeTexts(repair.end());
    return { text, isDone };
  };
};

/** Writes an event. JSON has line ends between its tokens only. */
const write = (data: string): string => `data: ${data.replaceAll("\n", " ")}\n\n`;

const writeTexts = (texts: readonly string[]): string =>
  texts.map((text) => write(Buffer.from(text).toString("latin1"))).join("");
