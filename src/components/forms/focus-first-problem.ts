/** Moves the focus to the first control, or group of them, that is marked as wrong, if there is one. */
export const focusFirstProblem = (form: HTMLElement): void => {
  const wrong = form.querySelector<HTMLElement>('[aria-invalid="true"]');
  const control = wrong?.matches("[role=radiogroup]") ? wrong.querySelector("input") : wrong;
  control?.focus();
};
