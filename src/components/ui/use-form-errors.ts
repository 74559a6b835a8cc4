import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Problem } from "@/contract/problem";
import { focusFirstInvalidField } from "./form-errors";

type FormState = {
  /** While busy, the form is not sent again. */
  isBusy: boolean;
  /** Why the last attempt failed; its errors appear at their fields until these are changed. */
  problem: Problem | undefined;
};

/** When the errors of a form are shown: its own from the first attempt to send it on, and those of the server. */
export const useFormErrors = ({ isBusy, problem }: FormState) => {
  const formRef = useRef<HTMLFormElement>(null);
  const [attempts, setAttempts] = useState(0);
  const [dismissed, setDismissed] = useState<Readonly<Record<string, Problem | undefined>>>({});
  // Syncs with the focus of the browser: an invalid form moves it to the first invalid field.
  useEffect(() => {
    if (formRef.current && (attempts > 0 || problem)) focusFirstInvalidField(formRef.current);
  }, [attempts, problem]);
  return {
    formRef,
    wasTried: attempts > 0,
    /** Whether a field was changed since the server refused it. */
    isDismissed: (field: string): boolean => dismissed[field] === problem,
    dismiss: (field: string): void =>
      setDismissed((previous) => ({ ...previous, [field]: problem })),
    /** @param send undefined while the form is invalid. */
    submit: (event: FormEvent, send: (() => void) | undefined): void => {
      event.preventDefault();
      if (isBusy) return;
      if (send) send();
      else setAttempts(attempts + 1);
    },
    reset: (): void => setAttempts(0),
  };
};
