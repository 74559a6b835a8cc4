import { useId } from "react";
import { FieldNotes } from "@/components/ui/field-notes";

type OnlyValueProps = { label: string; hint: string | undefined; value: string };

/** There is nothing to choose: the answer has this value whatever is done. */
export const OnlyValue = ({ label, hint, value }: OnlyValueProps) => (
  <div className="grid grid-cols-1 gap-1.5 break-words">
    <p className="text-sm">
      <span className="text-muted">{label}</span> {value}
    </p>
    <FieldNotes id={useId()} hint={hint} />
  </div>
);
