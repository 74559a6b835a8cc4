import { clsx } from "clsx";
import { type ComponentPropsWithRef, useId } from "react";
import { Field, type FieldText } from "./field";
import { CONTROL_CLASS, fieldAria } from "./field-aria";

type TextAreaProps = FieldText &
  Omit<ComponentPropsWithRef<"textarea">, "className" | "style" | "id" | "children"> & {
    /** For JSON and code. */
    mono?: boolean;
  };

/** Several lines of text; grows with its content up to half the screen. */
export const TextArea = ({
  label,
  labelHidden,
  hint,
  error,
  mono = false,
  ...area
}: TextAreaProps) => {
  const id = useId();
  const text: FieldText = { label, labelHidden: labelHidden ?? false, hint, error };
  return (
    <Field id={id} {...text}>
      <textarea
        rows={3}
        {...area}
        {...fieldAria(id, text)}
        id={id}
        className={clsx(
          CONTROL_CLASS,
          "field-sizing-content max-h-[50vh] resize-y py-2",
          mono && "font-mono",
        )}
      />
    </Field>
  );
};
