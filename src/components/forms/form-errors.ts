import type { Problem } from "@/contract/problem";
import { asSentence } from "@/lib/as-sentence";

/** Moves the focus to the first control, or group of them, that is marked as wrong, if there is one. */
export const focusFirstProblem = (form: HTMLElement): void => {
  const wrong = form.querySelector<HTMLElement>('[aria-invalid="true"]');
  const control = wrong?.matches("[role=radiogroup]") ? wrong.querySelector("input") : wrong;
  control?.focus();
};

/** What the server said of one field of a form, as a sentence. */
export const refusalOf = (problem: Problem | undefined, field: string): string | undefined => {
  const message = problem?.errors?.find(({ pointer }) => pointer === `/${field}`)?.message;
  return message && asSentence(message);
};
