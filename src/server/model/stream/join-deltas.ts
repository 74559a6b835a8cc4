/**
 * Creates a `fetch` that joins neighboring deltas of texts and arguments in an event stream before the provider's
 * client parses them. The client validates each event, which costs more than all that Parley does with a delta, and a fast
 * provider or a buffering proxy sends many at once. Nothing is held back: only events of one chunk are joined.
 *
 * @param textKeys keys of the strings that are joined when all else of two events is the same.
 * @param repair converts the bytes before that.
 */
export const createJoiningFetch =
  (
    textKeys: readonly string[],
    fetch: typeof globalThis.fetch,
    repair = (bytes: Uint8Array): Uint8Array => bytes,
  ): typeof globalThis.fetch =>
  async (...request) => {
    const response = await fetch(...request);
    const { body, headers, status, statusText } = response;
    if (!body || !headers.get("content-type")?.includes("text/event-stream")) return response;
    const markers = textKeys.map((key) => `"${key}":"`);
    const joined = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => controller.enqueue(joinTextDeltas(repair(bytes), markers)),
    });
    return new Response(body.pipeThrough(joined), { headers, status, statusText });
  };

/** An event with the text of its delta, in pieces. */
type DeltaEvent = { before: string; texts: string[]; after: string };

/**
 * Joins neighboring events that differ in the text of one key only. Text stays as it is escaped; a quote
 * inside of a string is escaped too, so a marker is never found in a text.
 *
 * @param bytes of an event stream; it may begin and end within an event.
 * @param markers `"key":"` of each key.
 */
export const joinTextDeltas = (bytes: Uint8Array, markers: readonly string[]): Uint8Array => {
  // Each byte is a character, so that characters that are cut by the network stay whole.
  const [first = "", ...events] = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString("latin1")
    .split(EVENT_END);
  const last = events.pop();
  if (last === undefined || events.length < 2) return bytes;
  const joined: (string | DeltaEvent)[] = [first];
  for (const event of events) {
    const delta = readDelta(event, markers);
    const previous = joined.at(-1);
    if (delta && typeof previous === "object" && canJoin(previous, delta, markers)) {
      previous.texts.push(...delta.texts);
    } else joined.push(delta ?? event);
  }
  const texts = joined.map((event) =>
    typeof event === "string" ? event : event.before + event.texts.join("") + event.after,
  );
  return Buffer.from([...texts, last].join(EVENT_END), "latin1");
};

const EVENT_END = "\n\n";

const canJoin = (event: DeltaEvent, other: DeltaEvent, markers: readonly string[]): boolean =>
  event.before === other.before &&
  event.after === other.after &&
  (event.texts.length > 1 || hasNothingElse(event, markers));

/** The name of a function: of two calls without ids, nothing else tells that they are two. */
const NAME = '"name":"';

/** Whether the other deltas of an event with the same rest may be left out: a second text in it would be lost. */
const hasNothingElse = ({ before, after }: DeltaEvent, markers: readonly string[]): boolean =>
  [NAME, ...markers].every((marker) => {
    const at = before.indexOf(marker);
    // The marker of the text itself ends what is before it.
    return (at === -1 || at + marker.length === before.length) && !after.includes(marker);
  });

const readDelta = (event: string, markers: readonly string[]): DeltaEvent | undefined => {
  for (const marker of markers) {
    const at = event.indexOf(marker);
    if (at === -1) continue;
    const start = at + marker.length;
    const end = findStringEnd(event, start);
    if (end === undefined) return undefined;
    return {
      before: event.slice(0, start),
      texts: [event.slice(start, end)],
      after: event.slice(end),
    };
  }
  return undefined;
};

/** @returns the index of the quote that ends the JSON string; undefined if the event is no JSON. */
const findStringEnd = (event: string, start: number): number | undefined => {
  for (let index = start; index < event.length; index++) {
    if (event[index] === '"') return index;
    if (event[index] === "\\") index++;
  }
  return undefined;
};
