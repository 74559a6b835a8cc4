import type { JsonValue } from "@/contract/json";

type TimeFormat = {
  type: "date" | "datetime-local" | "time";
  toInput: (value: string) => string;
  /** Returns undefined for what is no time. */
  fromInput: (input: string) => string | undefined;
};

const keep = (text: string): string => text;

const MINUTE_MS = 60_000;

/** Returns the local date and time, to the second, for what a form shows; an empty text for what is no time. */
const toLocalTime = (value: string): string => {
  const time = new Date(value);
  // Shifted by the time zone, the text in UTC is that of the local time.
  const shifted = time.getTime() - time.getTimezoneOffset() * MINUTE_MS;
  return Number.isNaN(shifted) ? "" : new Date(shifted).toISOString().replace(/(:00)?\.\d+Z$/, "");
};

/** Times of day have the offset of today. */
const today = (): string => toLocalTime(new Date().toJSON()).slice(0, "2026-03-31".length);

const formatOffset = (time: Date): string => {
  const minutes = -time.getTimezoneOffset();
  if (minutes === 0) return "Z";
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : "+"}${pad(hours)}:${pad(rest)}`;
};

const pad = (number: number): string => String(number).padStart(2, "0");

/** The formats of JSON Schema that have an input of their own. */
export const TIME_FORMATS = new Map<JsonValue | undefined, TimeFormat>([
  ["date", { type: "date", toInput: keep, fromInput: keep }],
  [
    "date-time",
    {
      type: "datetime-local",
      toInput: toLocalTime,
      // Null for what is no time.
      fromInput: (input) => new Date(input).toJSON() ?? undefined,
    },
  ],
  [
    "time",
    {
      // Times of JSON Schema have an offset, which time inputs do not support.
      type: "time",
      toInput: (value) => toLocalTime(`${today()}T${value}`).slice("2026-03-31T".length),
      fromInput: (input) => {
        const time = input.length === "09:30".length ? `${input}:00` : input;
        return `${time}${formatOffset(new Date(`${today()}T${time}`))}`;
      },
    },
  ],
]);
