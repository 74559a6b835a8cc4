import { parsePointer } from "@/contract/json-pointer";
import type { Problem } from "@/contract/problem";
import { toSentence } from "@/lib/humanize";
import { moveCaretToEnd } from "./text-focus";

/** Focuses the first control, or group of controls, that is marked as invalid, and opens the sections that have some. */
export const focusFirstInvalidField = (form: HTMLElement): void => {
  form.querySelectorAll('[aria-invalid="true"]').forEach(openSections);
  const invalid = form.querySelector<HTMLElement>('[aria-invalid="true"]');
  const control = invalid?.matches("[role=radiogroup]") ? invalid.querySelector("input") : invalid;
  control?.focus();
};

/** Opens the closed sections around an element. */
const openSections = (element: Element | null | undefined): void => {
  const section = element?.closest<HTMLDetailsElement>("details:not([open])");
  if (!section) return;
  section.open = true;
  openSections(section);
};

/**
 * Focuses the field of an answer, or the nearest one around it; without a pointer, its first field.
 *
 * @param pointer into the output of the call.
 */
export const focusAnswer = (form: HTMLElement, toolCallId: string, pointer = ""): void => {
  const answer = form.querySelector(`[data-call-id="${CSS.escape(toolCallId)}"] [data-answer]`);
  const keys = parsePointer(pointer);
  const fields = keys.map((_key, index) => {
    const id = [`answer-${toolCallId}`, ...keys.slice(0, keys.length - index)].join("/");
    return answer?.querySelector(`[data-field="${CSS.escape(id)}"]`);
  });
  const field = fields.find((one) => one) ?? answer;
  openSections(field);
  const control = field?.querySelector<HTMLElement>("input, textarea, select, button");
  control?.focus();
  if (control instanceof HTMLTextAreaElement) moveCaretToEnd(control);
};

/** @returns the error of the server for one field of a form, as a sentence. */
export const findServerError = (
  problem: Problem | undefined,
  field: string,
): string | undefined => {
  const message = problem?.errors?.find(({ pointer }) => pointer === `/${field}`)?.message;
  return message && toSentence(message);
};
