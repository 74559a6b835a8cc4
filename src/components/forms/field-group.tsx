import { clsx } from "clsx";
import { type ReactNode, useId } from "react";
import { FieldNotes, toFieldAria } from "@/components/ui/field-notes";

type FieldGroupProps = {
  label: string;
  labelHidden?: boolean;
  hint?: string | undefined;
  /** What is wrong with all of it together; takes the focus when it is the first problem. */
  error?: string | undefined;
  /** Set apart from the fields around it, as an object inside of another is. */
  indented?: boolean;
  disabled?: boolean;
  children: ReactNode;
};

/** Controls that belong together, under one name. */
export const FieldGroup = ({
  label,
  labelHidden = false,
  hint,
  error,
  indented = false,
  disabled = false,
  children,
}: FieldGroupProps) => {
  const id = useId();
  return (
    <fieldset
      {...toFieldAria(id, { hint, error })}
      disabled={disabled}
      tabIndex={error === undefined ? undefined : -1}
      className={clsx("min-w-0", indented && "border-l-2 border-border pl-3.5")}
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
