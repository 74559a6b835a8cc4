import { type ComponentPropsWithRef, type ReactNode, useId } from "react";

type CheckboxProps = Omit<
  ComponentPropsWithRef<"input">,
  "className" | "style" | "id" | "type" | "children"
> & {
  label: ReactNode;
  hint?: ReactNode;
};

export const Checkbox = ({ label, hint, ...input }: CheckboxProps) => {
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
      <div className="min-w-0">
        <label htmlFor={id} className="text-sm">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-xs text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
};
