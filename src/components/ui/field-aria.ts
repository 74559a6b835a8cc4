import type { FieldNotesText } from "./field-notes";

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

/** Classes of text fields, text areas and selects. */
export const CONTROL_CLASS =
  "w-full min-w-0 rounded-md border border-border-strong bg-raised px-3 text-sm text-text transition-colors hover:border-text-muted focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-danger pointer-coarse:text-base";
