import { clsx } from "clsx";
import { type ReactNode, useId } from "react";

type FieldGroupProps = {
  label: string;
  labelHidden?: boolean;
  hint?: string | undefined;
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
  indented = false,
  disabled = false,
  children,
}: FieldGroupProps) => {
  const id = useId();
  return (
    <fieldset
      disabled={disabled}
      aria-describedby={hint === undefined ? undefined : id}
      className={clsx("min-w-0", indented && "border-l-2 border-border pl-3.5")}
    >
      <legend className={labelHidden ? "sr-only" : "text-sm font-medium [overflow-wrap:anywhere]"}>
        {label}
      </legend>
      {hint !== undefined && (
        <p id={id} className="pt-0.5 text-xs break-words text-muted">
          {hint}
        </p>
      )}
      <div className={labelHidden && hint === undefined ? undefined : "pt-2"}>{children}</div>
    </fieldset>
  );
};
