import { clsx } from "clsx";
import { useId } from "react";
import type { FieldText } from "./field";
import { FieldNotes, toFieldAria } from "./field-notes";

export type RadioOption<Value extends string> = { value: Value; label: string };

export type DescribedOption<Value extends string> = RadioOption<Value> & {
  /** A sentence under the label; options with one are stacked. */
  hint?: string;
};

type RadioGroupProps<Value extends string> = FieldText & {
  options: readonly DescribedOption<Value>[];
  /** Undefined while no option is selected. */
  value: Value | undefined;
  onChange: (value: Value) => void;
  disabled?: boolean;
};

/** A few options, one of which can be selected. */
export const RadioGroup = <Value extends string>({
  label,
  labelHidden = false,
  hint,
  error,
  options,
  value,
  onChange,
  disabled = false,
}: RadioGroupProps<Value>) => {
  const id = useId();
  const isStacked = options.some((option) => option.hint !== undefined);
  return (
    <fieldset
      role="radiogroup"
      {...toFieldAria(id, { hint, error })}
      disabled={disabled}
      className="flex min-w-0 flex-col gap-1.5"
    >
      <legend className={labelHidden ? "sr-only" : "mb-1.5 text-sm font-medium wrap-anywhere"}>
        {label}
      </legend>
      <div className={clsx("flex gap-1.5", isStacked ? "flex-col" : "flex-wrap")}>
        {options.map((option) => (
          <Option
            key={option.value}
            name={id}
            option={option}
            isChecked={option.value === value}
            onSelect={() => onChange(option.value)}
          />
        ))}
      </div>
      <FieldNotes id={id} hint={hint} error={error} />
    </fieldset>
  );
};

type OptionProps = {
  /** Of the group. */
  name: string;
  option: DescribedOption<string>;
  isChecked: boolean;
  onSelect: () => void;
};

const Option = ({ name, option, isChecked, onSelect }: OptionProps) => {
  const id = useId();
  return (
    <label className="inline-flex min-h-9 max-w-full cursor-pointer items-center gap-2 rounded-md border border-border-strong bg-raised px-3 py-1 text-sm transition-colors hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-disabled:cursor-not-allowed has-disabled:opacity-60 pointer-coarse:min-h-10">
      <input
        type="radio"
        name={name}
        checked={isChecked}
        onChange={onSelect}
        // The label also contains the hint, which is not part of the name.
        aria-labelledby={`${id}-label`}
        aria-describedby={option.hint === undefined ? undefined : `${id}-hint`}
        className="size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0 break-words">
        <span id={`${id}-label`}>{option.label}</span>
        {option.hint !== undefined && (
          <span id={`${id}-hint`} className="block text-note text-muted">
            {option.hint}
          </span>
        )}
      </span>
    </label>
  );
};
