import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

/** The texts that describe a control in addition to its label. */
export type FieldNotesText = {
  hint?: ReactNode;
  /** What is wrong with the value; announced by screen readers. */
  error?: string | undefined;
};

type FieldNotesProps = FieldNotesText & { id: string };

/** Renders the hint and error that `toFieldAria` connects to the control with this id. */
export const FieldNotes = ({ id, hint, error }: FieldNotesProps) => (
  <>
    {hint !== undefined && (
      <p id={`${id}-hint`} className="text-note break-words text-muted">
        {hint}
      </p>
    )}
    {error !== undefined && (
      <p id={`${id}-error`} role="alert" className="flex items-start gap-1.5 text-note text-danger">
        <CircleAlert aria-hidden size={14} className="mt-0.5 shrink-0" />
        <span className="min-w-0 break-words">{error}</span>
      </p>
    )}
  </>
);

/** Returns the attributes that connect a control to the hint and error of its field. */
export const toFieldAria = (id: string, { hint, error }: FieldNotesText) => {
  const ids = [
    hint === undefined ? "" : `${id}-hint`,
    error === undefined ? "" : `${id}-error`,
  ].filter((noteId) => noteId !== "");
  return {
    "aria-invalid": error !== undefined || undefined,
    "aria-describedby": ids.length > 0 ? ids.join(" ") : undefined,
  };
};
