import type { ReactNode } from "react";
import { FieldNotes, type FieldNotesText } from "./field-notes";

/** The texts of a control with a label. */
export type FieldText = FieldNotesText & {
  label: string;
  /** Shows the label to screen readers only. */
  labelHidden?: boolean;
};

type FieldProps = FieldText & { id: string; children: ReactNode };

export const Field = ({ id, label, labelHidden = false, hint, error, children }: FieldProps) => (
  <div className="flex min-w-0 flex-col gap-1.5">
    <label htmlFor={id} className={labelHidden ? "sr-only" : "text-sm font-medium break-words"}>
      {label}
    </label>
    {children}
    <FieldNotes id={id} hint={hint} error={error} />
  </div>
);

/** Classes of text fields, text areas and selects. */
export const CONTROL_CLASS =
  "w-full min-w-0 rounded-md border border-border-field bg-raised px-3 text-sm text-text transition-colors hover:border-text-muted focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-danger pointer-coarse:text-base";
