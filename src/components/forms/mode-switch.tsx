import { useId } from "react";
import type { ChoiceOption } from "./choice";

export type ModeOption<Value extends string> = ChoiceOption<Value> & {
  /** Says more than the label has room for; it must contain the label. */
  name?: string;
};

type ModeSwitchProps<Value extends string> = {
  label: string;
  options: readonly ModeOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  disabled: boolean;
};

/** Small tabs that change how something is entered, not what. */
export const ModeSwitch = <Value extends string>({
  label,
  options,
  value,
  onChange,
  disabled,
}: ModeSwitchProps<Value>) => {
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
          className="relative inline-flex h-7 cursor-pointer items-center rounded-sm px-2.5 text-xs font-medium text-muted transition-colors hover:text-text has-checked:bg-accent-soft has-checked:text-accent-strong has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent has-disabled:cursor-not-allowed has-disabled:opacity-60 pointer-coarse:h-9"
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
