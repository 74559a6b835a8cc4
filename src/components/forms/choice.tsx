import { type ReactNode, useId } from "react";
import { FieldError } from "./field-error";

export type ChoiceOption<Value extends string> = { value: Value; label: string };

type ChoiceProps<Value extends string> = {
  label: string;
  labelHidden?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  options: readonly ChoiceOption<Value>[];
  /** Undefined while nothing is chosen. */
  value: Value | undefined;
  onChange: (value: Value) => void;
  disabled?: boolean;
};

/** One of a few, all in sight. */
export const Choice = <Value extends string>({
  label,
  labelHidden = false,
  hint,
  error,
  options,
  value,
  onChange,
  disabled = false,
}: ChoiceProps<Value>) => {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <fieldset
      role="radiogroup"
      aria-describedby={describedBy || undefined}
      aria-invalid={error !== undefined || undefined}
      disabled={disabled}
      className="min-w-0"
    >
      <legend className={labelHidden ? "sr-only" : "mb-1.5 text-sm font-medium"}>{label}</legend>
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
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1.5 text-xs text-muted">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </fieldset>
  );
};
