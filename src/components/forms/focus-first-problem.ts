/** Moves the focus to the first control that is marked as wrong, if there is one. */
export const focusFirstProblem = (form: HTMLElement): void => {
  const wrong = form.querySelector<HTMLElement>('[aria-invalid="true"], [data-group-error]');
  if (!wrong) return;
  const control = wrong.matches("fieldset") ? wrong.querySelector<HTMLElement>("input") : wrong;
  control?.focus();
};
