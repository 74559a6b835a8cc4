import {
  type ChangeEvent,
  type FormEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import type { Problem } from "@/contract/problem";
import { findServerError, focusFirstInvalidField } from "./form-errors";

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
  const formRef = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(initial);
  const [attempts, setAttempts] = useState(0);
  const [dismissedProblems, setDismissedProblems] = useState<{
    [Field in keyof Values]?: Problem | undefined;
  }>({});
  const errors = validate(values);
  // Syncs with the focus of the browser: an invalid form moves it to the first invalid field.
  useEffect(() => {
    if (formRef.current && (attempts > 0 || problem)) focusFirstInvalidField(formRef.current);
  }, [attempts, problem]);
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (Object.values(errors).some((error) => error !== undefined)) setAttempts(attempts + 1);
    else onSubmit(values);
  };
  const change = <Field extends keyof Values>(field: Field, value: Values[Field]) => {
    setValues((previous) => ({ ...previous, [field]: value }));
    setDismissedProblems((previous) => ({ ...previous, [field]: problem }));
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
    (attempts > 0 ? errors[field] : undefined) ??
    (dismissedProblems[field] === problem ? undefined : findServerError(problem, field));
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
      setAttempts(0);
    },
  };
};
