import type { ComponentPropsWithRef, ReactNode } from "react";
import { FieldNotes, type FieldNotesText } from "./field-notes";

/** The props of a checkbox and a switch. */
export type ToggleProps = Omit<
  ComponentPropsWithRef<"input">,
  "className" | "style" | "id" | "type" | "role" | "children"
> &
  FieldNotesText & { label: ReactNode };

type ToggleTextProps = Pick<ToggleProps, "label" | "hint" | "error"> & { id: string };

/** The label and notes next to the checkbox or switch with this id. */
export const ToggleText = ({ id, label, hint, error }: ToggleTextProps) => (
  <div className="min-w-0">
    <label htmlFor={id} className="text-sm break-words">
      {label}
    </label>
    <FieldNotes id={id} hint={hint} error={error} />
  </div>
);
