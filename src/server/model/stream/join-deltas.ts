/** Data of an event with the text of its delta, in pieces. */
export type DeltaData = { before: string; texts: string[]; after: string };

/**
 * Joins neighboring events that differ in the text of one key only: the provider's client validates each event, which
 * costs more than all else that is done with a delta. Text stays as it is escaped; a quote inside of a string is escaped
 * too, so a marker is never found in a text.
 *
 * @param events data of events that have arrived together.
 * @param markers `"key":"` of each key.
 */
export const joinDeltas = (
  events: readonly string[],
  markers: readonly string[],
): (string | DeltaData)[] => {
  const joined: (string | DeltaData)[] = [];
  for (const event of events) {
    const delta = readDelta(event, markers);
    const last = joined.at(-1);
    const isNext =
      typeof last === "object" && last.before === delta?.before && last.after === delta.after;
    if (isNext && (last.texts.length > 1 || hasNothingElse(last, markers))) {
      last.texts.push(...delta.texts);
    } else joined.push(delta ?? event);
  }
  return joined;
};

/**
 * Keys of values that belong to one event, though another has the same: the name of a function, as nothing else
 * distinguishes two calls without ids, and pieces of reasoning that repeat the text.
 */
const OTHERS = ['"name":"', '"reasoning_details":'];

/** Whether the other deltas of an event with the same rest may be left out: a second text in it would be lost. */
const hasNothingElse = ({ before, after }: DeltaData, markers: readonly string[]): boolean =>
  [...OTHERS, ...markers].every((marker) => {
    const at = before.indexOf(marker);
    // The marker of the text itself ends what is before it.
    return (at === -1 || at + marker.length === before.length) && !after.includes(marker);
  });

const readDelta = (event: string, markers: readonly string[]): DeltaData | undefined => {
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
