const EVENT_END = "\n\n";
const DATA = "data:";
/** The start of a usage that is not null, which some servers send with each delta. */
const USAGE = /"usage"\s*:\s*(?!null|\s)/;

const TOOL_CALLS = '"tool_calls"';
const BLANK_NAME = /"name"\s*:\s*"\s*"/g;

/**
 * Repairs events of a server that is compatible with OpenAI, which its client would not report as they are:
 *
 * - Some have texts or something else in their usage where numbers belong, for which the client refuses the whole answer.
 *   What is no number is left out.
 * - The client drops a call whose name is blank. Without a name it waits for one, and refuses the answer if none comes.
 *
 * @param bytes of an event stream; what it cuts stays as it is.
 */
export const repairEvents = (bytes: Uint8Array): Uint8Array => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const hasUsage = USAGE.test(text);
  // A quote inside of a string is escaped, so that the name is never found in a text.
  const named = text.includes(TOOL_CALLS) ? text.replace(BLANK_NAME, '"name":null') : text;
  if (!hasUsage && named === text) return bytes;
  const repaired = hasUsage ? named.split(EVENT_END).map(repairUsage).join(EVENT_END) : named;
  return Buffer.from(repaired, "latin1");
};

const repairUsage = (event: string): string => {
  const data = event.trimStart();
  if (!data.startsWith(DATA) || !USAGE.test(data)) return event;
  const chunk = parse(Buffer.from(data.slice(DATA.length), "latin1").toString());
  if (!isRecord(chunk) || chunk.usage === undefined) return event;
  const usage = keepNumbers(chunk.usage);
  const json = JSON.stringify({ ...chunk, usage });
  return `${DATA} ${Buffer.from(json).toString("latin1")}`;
};

/** @returns undefined for what is no object of numbers. */
const keepNumbers = (value: unknown): object | undefined => {
  if (!isRecord(value)) return undefined;
  const kept = Object.entries(value).flatMap(([key, count]): [string, unknown][] => {
    if (isRecord(count)) return [[key, keepNumbers(count)]];
    const number = typeof count === "string" && count.trim() !== "" ? Number(count) : count;
    return Number.isFinite(number) ? [[key, number]] : [];
  });
  return Object.fromEntries(kept);
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
