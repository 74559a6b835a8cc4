import { CircleAlert } from "lucide-react";

type FieldErrorProps = { id: string; error: string | undefined };

/** What is wrong with a group of controls, in the looks of a single field's error. */
export const FieldError = ({ id, error }: FieldErrorProps) =>
  error === undefined ? null : (
    <p id={id} role="alert" className="mt-1.5 flex items-start gap-1.5 text-xs text-danger">
      <CircleAlert aria-hidden size={14} className="mt-0.5 shrink-0" />
      <span className="min-w-0 break-words">{error}</span>
    </p>
  );
