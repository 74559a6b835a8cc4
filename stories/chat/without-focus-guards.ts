/** As in the stories of the popups themselves: axe takes their hidden focus stops for controls. */
export const withoutFocusGuards = {
  a11y: { context: { exclude: ["[data-base-ui-focus-guard]"] } },
};
