import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

/** What every control with a label, a hint and an error has in common. */
export type FieldText = {
  label: string;
  /** The label stays for screen readers only. */
  labelHidden?: boolean;
  hint?: ReactNode;
  /** What is wrong with the value; announced, and tied to the control. */
  error?: string | undefined;
};

type FieldProps = FieldText & { id: string; children: ReactNode };

export const Field = ({ id, label, labelHidden = false, hint, error, children }: FieldProps) => (
  <div className="flex min-w-0 flex-col gap-1.5">
    <label htmlFor={id} className={labelHidden ? "sr-only" : "text-sm font-medium"}>
      {label}
    </label>
    {children}
    {hint !== undefined && (
      <p id={`${id}-hint`} className="text-xs text-muted">
        {hint}
      </p>
    )}
    {error !== undefined && (
      <p id={`${id}-error`} role="alert" className="flex items-start gap-1.5 text-xs text-danger">
        <CircleAlert aria-hidden size={14} className="mt-0.5 shrink-0" />
        <span className="min-w-0 break-words">{error}</span>
      </p>
    )}
  </div>
);
