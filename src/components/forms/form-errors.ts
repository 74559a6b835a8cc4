import type { Problem } from "@/contract/problem";
import { toSentence } from "@/lib/humanize";

/** Focuses the first control, or group of controls, that is marked as invalid. */
export const focusFirstInvalidField = (form: HTMLElement): void => {
  const invalid = form.querySelector<HTMLElement>('[aria-invalid="true"]');
  const control = invalid?.matches("[role=radiogroup]") ? invalid.querySelector("input") : invalid;
  control?.focus();
};

/** @returns the error of the server for one field of a form, as a sentence. */
export const findServerError = (
  problem: Problem | undefined,
  field: string,
): string | undefined => {
  const message = problem?.errors?.find(({ pointer }) => pointer === `/${field}`)?.message;
  return message && toSentence(message);
};
