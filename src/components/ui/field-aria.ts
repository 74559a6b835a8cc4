import type { FieldNotesText } from "./field-notes";

/** The attributes that tie a control to its field's hint and error. */
export const fieldAria = (id: string, { hint, error }: FieldNotesText) => {
  const described = [
    hint === undefined ? "" : `${id}-hint`,
    error === undefined ? "" : `${id}-error`,
  ].filter((name) => name !== "");
  return {
    "aria-invalid": error !== undefined || undefined,
    "aria-describedby": described.length > 0 ? described.join(" ") : undefined,
  };
};

/** How every text-like control looks. */
export const CONTROL_CLASS =
  "w-full min-w-0 rounded-md border border-border-strong bg-raised px-3 text-sm text-text transition-colors hover:border-text-muted focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-danger pointer-coarse:text-base";
