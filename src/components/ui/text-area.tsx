import { clsx } from "clsx";
import { type ComponentPropsWithRef, type FocusEvent, useId, useRef } from "react";
import { caretToEnd } from "./caret-to-end";
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
  const wasFocused = useRef(false);
  const onFocus = (event: FocusEvent<HTMLTextAreaElement>) => {
    if (!wasFocused.current) caretToEnd(event.currentTarget);
    wasFocused.current = true;
    area.onFocus?.(event);
  };
  const text: FieldText = { label, labelHidden: labelHidden ?? false, hint, error };
  return (
    <Field id={id} {...text}>
      <textarea
        rows={3}
        {...area}
        {...fieldAria(id, text)}
        id={id}
        onFocus={onFocus}
        className={clsx(
          CONTROL_CLASS,
          "field-sizing-content max-h-[50vh] resize-y py-2",
          mono && "font-mono",
        )}
      />
    </Field>
  );
};
