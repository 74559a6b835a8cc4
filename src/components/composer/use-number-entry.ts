import { type KeyboardEvent, useState } from "react";
import { readNumber } from "@/lib/read-number";

type NumberEntryOptions = {
  isWhole?: boolean;
  minimum: number;
  maximum: number;
  /** Called with null when the field is emptied. */
  onChange: (value: number | null) => void;
};

/** A number that is saved when its field is left, by Enter, and by `finish`. */
export const useNumberEntry = (
  value: number | null | undefined,
  { isWhole = false, minimum, maximum, onChange }: NumberEntryOptions,
) => {
  const [entered, setEntered] = useState<string>();
  const [saved, setSaved] = useState(value ?? null);
  const [isRefused, setRefused] = useState(false);
  const save = (): void => {
    if (entered === undefined) return;
    const next = read(entered, { isWhole, minimum, maximum });
    setRefused(next === undefined);
    if (next === undefined || next === saved) return;
    setSaved(next);
    onChange(next);
  };
  return {
    isRefused,
    input: {
      value: entered ?? value?.toString() ?? "",
      onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
        setEntered(currentTarget.value),
      onBlur: save,
      onKeyDown: ({ key }: KeyboardEvent) => void (key === "Enter" && save()),
    },
    /** Saves what was entered, if it is a number of the range, and shows what counts. */
    finish: (): void => {
      save();
      setEntered(undefined);
      setRefused(false);
    },
  };
};

type Range = Pick<NumberEntryOptions, "minimum" | "maximum"> & { isWhole: boolean };

/** @returns null for an empty text; undefined for what is no number of the range. */
const read = (entered: string, { isWhole, minimum, maximum }: Range): number | null | undefined => {
  if (entered.trim() === "") return null;
  const found = readNumber(entered, { isWhole });
  if (!found) return undefined;
  const value = Number("number" in found ? found.number : found.meanings[0]);
  const isValid = value >= minimum && value <= maximum && (!isWhole || Number.isInteger(value));
  return isValid ? value : undefined;
};
