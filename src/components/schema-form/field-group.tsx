import { clsx } from "clsx";
import { type ReactNode, useId } from "react";
import { FieldNotes, toFieldAria } from "@/components/ui/field-notes";

type FieldGroupProps = {
  label: string;
  labelHidden?: boolean;
  hint?: ReactNode;
  /** An error of the group as a whole; the group is focused if it is the first error. */
  error?: string | undefined;
  /** Indents the group, as for an object in an object. */
  isIndented?: boolean;
  disabled?: boolean;
  children: ReactNode;
};

/** Related controls with a common label. */
export const FieldGroup = ({
  label,
  labelHidden = false,
  hint,
  error,
  isIndented = false,
  disabled = false,
  children,
}: FieldGroupProps) => {
  const id = useId();
  return (
    <fieldset
      {...toFieldAria(id, { hint, error })}
      disabled={disabled}
      tabIndex={error === undefined ? undefined : -1}
      className={clsx("min-w-0", isIndented && "border-l-2 border-border pl-4")}
    >
      <legend className={labelHidden ? "sr-only" : "text-sm font-medium wrap-anywhere"}>
        {label}
      </legend>
      {hint !== undefined && (
        <div className="pt-0.5">
          <FieldNotes id={id} hint={hint} />
        </div>
      )}
      <div className={labelHidden && hint === undefined ? undefined : "pt-2"}>{children}</div>
      {error !== undefined && (
        <div className="pt-1.5">
          <FieldNotes id={id} error={error} />
        </div>
      )}
    </fieldset>
  );
};
