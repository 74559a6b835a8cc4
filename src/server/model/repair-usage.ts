const EVENT_END = "\n\n";
const DATA = "data:";
/** The start of a usage that is not null, which some servers send with each delta. */
const USAGE = /"usage"\s*:\s*(?!null|\s)/;

/**
 * Repairs the usage in events of a server that is compatible with OpenAI: some report texts or something else where numbers
 * belong, and its client then refuses the whole answer. What is no number is left out.
 *
 * @param bytes of an event stream; an event that it cuts stays as it is.
 */
export const repairUsage = (bytes: Uint8Array): Uint8Array => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  if (!USAGE.test(text)) return bytes;
  return Buffer.from(text.split(EVENT_END).map(repairEvent).join(EVENT_END), "latin1");
};

const repairEvent = (event: string): string => {
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
