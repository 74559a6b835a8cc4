import { useId } from "react";
import { toFieldAria } from "./field-notes";
import { type ToggleProps, ToggleText } from "./toggle-text";

export const Checkbox = ({ label, hint, error, ...input }: ToggleProps) => {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <input
        {...input}
        id={id}
        type="checkbox"
        {...toFieldAria(id, { hint, error })}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <ToggleText id={id} label={label} hint={hint} error={error} />
    </div>
  );
};
