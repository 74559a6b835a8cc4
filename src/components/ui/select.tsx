import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import { type ComponentPropsWithRef, useId } from "react";
import { CONTROL_CLASS, Field, type FieldText } from "./field";
import { toFieldAria } from "./field-notes";

export type SelectOption = { value: string; label: string; disabled?: boolean };

type SelectProps = FieldText &
  Omit<ComponentPropsWithRef<"select">, "className" | "style" | "id" | "children" | "size"> & {
    options: readonly SelectOption[];
  };

/** A labeled native select, which every phone shows well. */
export const Select = ({ label, labelHidden, hint, error, options, ...select }: SelectProps) => {
  const id = useId();
  const text: FieldText = { label, labelHidden: labelHidden ?? false, hint, error };
  return (
    <Field id={id} {...text}>
      <span className="relative block min-w-0">
        <select
          {...select}
          {...toFieldAria(id, text)}
          id={id}
          className={clsx(CONTROL_CLASS, "h-9 appearance-none truncate pr-8 pointer-coarse:h-10")}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden
          size={16}
          className="pointer-events-none absolute inset-y-0 right-2.5 my-auto text-muted"
        />
      </span>
    </Field>
  );
};
