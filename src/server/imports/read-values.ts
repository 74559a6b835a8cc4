import { isExactNumber } from "@/lib/exact-json";
import { isRecord } from "@/lib/is-record";

// Documents of other programs change without notice: what is not as expected counts as missing.

export const toRecordOrEmpty = (value: unknown): Record<string, unknown> =>
  isRecord(value) ? value : {};

export const toArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const toText = (value: unknown): string =>
  typeof value === "string" ? value.toWellFormed() : "";

export const toTextOrUndefined = (value: unknown): string | undefined => {
  const text = toText(value);
  return text.trim() === "" ? undefined : text;
};

/** Latest time that is believed, in milliseconds: the year 9999. */
const MAX_TIME = 253_402_300_799_000;

/** Reads a time in seconds, or as a text. */
export const toTime = (value: unknown): string | undefined => {
  const seconds = isExactNumber(value) ? Number(value.rawJSON) : value;
  const milliseconds =
    typeof seconds === "number"
      ? seconds * 1_000
      : typeof seconds === "string"
        ? Date.parse(seconds)
        : Number.NaN;
  return milliseconds > 0 && milliseconds < MAX_TIME
    ? new Date(Math.round(milliseconds)).toISOString()
    : undefined;
};
