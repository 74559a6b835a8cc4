import { useId } from "react";
import type { FieldText } from "@/components/ui/field";
import { FieldNotes, toFieldAria } from "@/components/ui/field-notes";

export type RadioOption<Value extends string> = { value: Value; label: string };

type RadioGroupProps<Value extends string> = FieldText & {
  options: readonly RadioOption<Value>[];
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
      <div className="flex flex-wrap gap-1.5">
        {options.map((option) => (
          <label
            key={option.value}
            className="inline-flex min-h-9 max-w-full cursor-pointer items-center gap-2 rounded-md border border-border-strong bg-raised px-3 py-1 text-sm transition-colors hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-disabled:cursor-not-allowed has-disabled:opacity-60 pointer-coarse:min-h-10"
          >
            <input
              type="radio"
              name={id}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="size-4 shrink-0 accent-accent"
            />
            <span className="min-w-0 break-words">{option.label}</span>
          </label>
        ))}
      </div>
      <FieldNotes id={id} hint={hint} error={error} />
    </fieldset>
  );
};
