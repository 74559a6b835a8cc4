import { clsx } from "clsx";
import { type ComponentPropsWithRef, type FocusEvent, useId, useRef } from "react";
import { CONTROL_CLASS, Field, type FieldText } from "./field";
import { toFieldAria } from "./field-notes";
import { moveCaretToEnd } from "./text-focus";

type TextAreaProps = FieldText &
  Omit<ComponentPropsWithRef<"textarea">, "className" | "style" | "id" | "children"> & {
    /** Uses a monospace font, for JSON and code. */
    isMonospace?: boolean;
  };

/** A multi-line text field that grows with its content up to half of the screen. */
export const TextArea = ({
  label,
  labelHidden,
  hint,
  error,
  isMonospace = false,
  ...area
}: TextAreaProps) => {
  const id = useId();
  const wasFocused = useRef(false);
  const onFocus = (event: FocusEvent<HTMLTextAreaElement>) => {
    if (!wasFocused.current) moveCaretToEnd(event.currentTarget);
    wasFocused.current = true;
    area.onFocus?.(event);
  };
  const text: FieldText = { label, labelHidden: labelHidden ?? false, hint, error };
  return (
    <Field id={id} {...text}>
      <textarea
        rows={3}
        {...area}
        {...toFieldAria(id, text)}
        id={id}
        onFocus={onFocus}
        className={clsx(
          CONTROL_CLASS,
          "field-sizing-content max-h-[50vh] resize-y py-2",
          isMonospace && "font-mono",
        )}
      />
    </Field>
  );
};
