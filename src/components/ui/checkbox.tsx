import { useId } from "react";
import { type ToggleProps, ToggleText } from "./toggle-text";

export const Checkbox = ({ label, hint, ...input }: ToggleProps) => {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <input
        {...input}
        id={id}
        type="checkbox"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <ToggleText id={id} label={label} hint={hint} />
    </div>
  );
};
