import type { JsonValue } from "@/contract/json";
import { TextField } from "@/components/ui/text-field";
import type { FieldProps } from "./field-props";
import { getFieldTexts, joinHint } from "./field-texts";

type TimeFormat = {
  type: "date" | "datetime-local" | "time";
  note?: string;
  toInput: (value: string) => string;
  /** Returns undefined for what is no time. */
  fromInput: (input: string) => string | undefined;
};

const keep = (text: string): string => text;

/** Returns the local time, to the minute, for an input; an empty text for what is no time. */
const toLocalTime = (value: string): string => {
  const time = new Date(value);
  // Shifted by the time zone, the text in UTC is that of the local time.
  const shifted = time.getTime() - time.getTimezoneOffset() * MINUTE_MS;
  return Number.isNaN(shifted) ? "" : new Date(shifted).toISOString().slice(0, 16);
};

const MINUTE_MS = 60_000;

/** The formats of JSON Schema that have an input of their own. */
export const TIME_FORMATS = new Map<JsonValue | undefined, TimeFormat>([
  ["date", { type: "date", toInput: keep, fromInput: keep }],
  [
    "date-time",
    {
      type: "datetime-local",
      note: "In your time zone.",
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
      note: "In UTC.",
      toInput: (value) => value.replace(/(:00)?Z$/i, ""),
      fromInput: (input) => `${input.length === 5 ? `${input}:00` : input}Z`,
    },
  ],
]);

/** A date, a time or both. */
export const SchemaTimeField = (props: FieldProps) => {
  const { schema, value, onChange, isRequired, disabled } = props;
  const texts = getFieldTexts(props);
  const format = TIME_FORMATS.get(schema.format);
  if (!format) return null;
  const { type, note, toInput, fromInput } = format;
  return (
    <div className="max-w-64">
      <TextField
        {...texts}
        hint={note === undefined ? texts.hint : joinHint(texts.hint, note)}
        type={type}
        value={typeof value === "string" ? toInput(value) : ""}
        disabled={disabled}
        aria-required={isRequired || undefined}
        onChange={({ target }) =>
          onChange(target.value === "" ? undefined : fromInput(target.value))
        }
      />
    </div>
  );
};
