import type { ComponentPropsWithRef, ReactNode } from "react";
import { FieldNotes, type FieldNotesText } from "./field-notes";

/** What a checkbox and a switch take. */
export type ToggleProps = Omit<
  ComponentPropsWithRef<"input">,
  "className" | "style" | "id" | "type" | "role" | "children"
> &
  FieldNotesText & { label: ReactNode };

type ToggleTextProps = Pick<ToggleProps, "label" | "hint" | "error"> & { id: string };

/** The words beside a checkbox or a switch, which has this id. */
export const ToggleText = ({ id, label, hint, error }: ToggleTextProps) => (
  <div className="min-w-0">
    <label htmlFor={id} className="text-sm break-words">
      {label}
    </label>
    <FieldNotes id={id} hint={hint} error={error} />
  </div>
);
