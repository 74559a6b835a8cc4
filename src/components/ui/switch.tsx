import { useId } from "react";
import { toFieldAria } from "./field-notes";
import { type ToggleProps, ToggleText } from "./toggle-text";

/** A labeled on/off switch. */
export const Switch = ({ label, hint, error, ...input }: ToggleProps) => {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4">
      <ToggleText
        id={id}
        label={<span className="font-medium">{label}</span>}
        hint={hint}
        error={error}
      />
      <input
        {...input}
        id={id}
        type="checkbox"
        role="switch"
        {...toFieldAria(id, { hint, error })}
        className="relative h-5 w-9 shrink-0 cursor-pointer appearance-none rounded-full border border-(--text-muted) transition-colors before:absolute before:top-0.75 before:left-0.75 before:size-3 before:rounded-full before:bg-(--text-muted) before:transition-transform checked:border-accent checked:bg-accent checked:before:translate-x-4 checked:before:bg-accent-contrast disabled:cursor-not-allowed disabled:opacity-50 forced-colors:appearance-auto forced-colors:before:hidden"
      />
    </div>
  );
};
