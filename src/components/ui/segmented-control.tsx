import { useId } from "react";
import type { RadioOption } from "./radio-group";

export type SegmentOption<Value extends string> = RadioOption<Value> & {
  /** A longer accessible name, which must contain the label (WCAG 2.5.3). */
  name?: string;
};

type SegmentedControlProps<Value extends string> = {
  label: string;
  options: readonly SegmentOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  disabled: boolean;
};

/** A compact radio group that switches how a value is entered. */
export const SegmentedControl = <Value extends string>({
  label,
  options,
  value,
  onChange,
  disabled,
}: SegmentedControlProps<Value>) => {
  const id = useId();
  return (
    <fieldset
      role="radiogroup"
      aria-label={label}
      disabled={disabled}
      className="inline-flex w-fit gap-0.5 justify-self-end rounded-md bg-hover p-0.5"
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative inline-flex h-7 cursor-pointer items-center rounded-sm px-2 text-xs font-medium text-muted transition-colors hover:text-text has-checked:bg-accent has-checked:text-accent-contrast has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent has-disabled:cursor-not-allowed has-disabled:opacity-60 pointer-coarse:h-9"
        >
          <input
            type="radio"
            name={id}
            aria-label={option.name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
};
