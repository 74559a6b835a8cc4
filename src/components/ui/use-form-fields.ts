import { type ChangeEvent, type FormEvent, useEffect, useEffectEvent, useState } from "react";
import type { Problem } from "@/contract/problem";
import { findServerError } from "./form-errors";
import { useFormErrors } from "./use-form-errors";

type FormFieldsInput<Values> = {
  initial: Values;
  /** Returns why each field cannot be sent; shown from the first attempt to send on. */
  validate: (values: Values) => { [Field in keyof Values]?: string | undefined };
  /** While busy, the form is not sent again. */
  isBusy: boolean;
  /** Why the last attempt failed; an error at `/<field>` appears at this field until it is changed. */
  problem: Problem | undefined;
  onSubmit: (values: Values) => void;
};

/** Returns the values, errors and event handlers of a form with text fields. */
export const useFormFields = <Values extends { [field: string]: string }>({
  initial,
  validate,
  isBusy,
  problem,
  onSubmit,
}: FormFieldsInput<Values>) => {
  const { formRef, ...form } = useFormErrors({ isBusy, problem });
  const [values, setValues] = useState(initial);
  const errors = validate(values);
  const isValid = Object.values(errors).every((error) => error === undefined);
  const handleSubmit = (event: FormEvent) =>
    form.submit(event, isValid ? () => onSubmit(values) : undefined);
  const change = <Field extends keyof Values & string>(field: Field, value: Values[Field]) => {
    setValues((previous) => ({ ...previous, [field]: value }));
    form.dismiss(field);
  };
  // What was typed, or filled in by a password manager, before hydration is only in the DOM.
  const restoreEarlyInput = useEffectEvent(() => {
    for (const field of Object.keys(initial)) {
      const control = formRef.current?.elements.namedItem(field);
      if (control instanceof HTMLInputElement && control.value !== initial[field]) {
        change(field, control.value as Values[typeof field]);
      }
    }
  });
  useEffect(() => restoreEarlyInput(), []);
  const findError = (field: keyof Values & string): string | undefined =>
    (form.wasTried ? errors[field] : undefined) ??
    (form.isDismissed(field) ? undefined : findServerError(problem, field));
  return {
    formRef,
    values,
    handleSubmit,
    change,
    findError,
    /** Returns the props of a text field, or of a text area. */
    textField: (field: keyof Values & string) => ({
      name: field,
      value: values[field],
      onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        change(field, target.value as Values[typeof field]),
      error: findError(field),
    }),
    /** Empties the form, without errors. */
    reset: () => {
      setValues(initial);
      form.reset();
    },
  };
};
