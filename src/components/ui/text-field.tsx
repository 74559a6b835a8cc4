import { clsx } from "clsx";
import { type ComponentPropsWithRef, useId } from "react";
import { CONTROL_CLASS, Field, type FieldText } from "./field";
import { toFieldAria } from "./field-notes";

type TextFieldProps = FieldText &
  Omit<ComponentPropsWithRef<"input">, "className" | "style" | "id" | "children">;

/** A labeled single-line text field; accepts all props of an input. */
export const TextField = ({ label, labelHidden, hint, error, ...input }: TextFieldProps) => {
  const id = useId();
  const text: FieldText = { label, labelHidden: labelHidden ?? false, hint, error };
  return (
    <Field id={id} {...text}>
      <input
        {...input}
        {...toFieldAria(id, text)}
        id={id}
        className={clsx(CONTROL_CLASS, "h-9 pointer-coarse:h-10")}
      />
    </Field>
  );
};
