/**
 * Popups keep the focus by hidden stops before and after them, which send it on at once; axe takes
 * them for controls that nobody can see.
 */
export const withoutFocusGuards = {
  a11y: { context: { exclude: ["[data-base-ui-focus-guard]"] } },
};
